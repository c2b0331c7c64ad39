"""A defect for every check on three families of templates; the healthy ones give information."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import template_defects
from template_defects import DEFECTS

from tokaudit_folders import chat_folders, sick
from tokaudit_folders.chat_folders import FAMILIES, Asked, Family

INFORMATION = {
    ("injection", "info", "forged"),
    ("renders", "info", "fails on a shape"),  # lists of parts, which are joined to a text
    ("shapes", "info", "parts as Python"),
}
CASES = [
    (name, defect)
    for name in sorted(FAMILIES)
    for defect in sorted(DEFECTS)
    # the end of a question opens Mistral's answers, so there is no prompt to forget
    if name != "Mistral" or DEFECTS[defect].check != "generation-prompt"
]


@pytest.fixture(params=sorted(FAMILIES))
def family(request: pytest.FixtureRequest) -> Family:
    return FAMILIES[request.param]


def changed(folder: Path, family: Family, template: str) -> Path:
    return chat_folders.write(folder, replace(family, template=template))


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_a_healthy_family_gets_the_information_listed_here(name: str, tmp_path: Path) -> None:
    doubled = {("bos", "info", "doubled by a version")} if FAMILIES[name].bos else set()
    reported = Asked(chat_folders.write(tmp_path, FAMILIES[name])).reported()
    assert reported == INFORMATION | doubled


@pytest.mark.parametrize(("name", "broken"), CASES)
def test_a_defect_is_found_by_the_check_that_names_its_cause(
    name: str, broken: str, tmp_path: Path
) -> None:
    family, defect = FAMILIES[name], DEFECTS[broken]
    if family.bos is None and defect.check == "bos":
        family = replace(family, bos=family.pad)
    start = template_defects.CLEAN if defect.cleaned else ""
    base = changed(tmp_path / "base", family, start + family.template) if defect.base else None
    folder = changed(tmp_path / "model", family, defect.change(family.template))
    reported = {(str(f.severity), f.cause) for f in Asked(folder, base).findings(defect.check)}
    assert (defect.severity, defect.cause) in reported


def found(folder: Path, check: str, base: Path | None = None) -> dict[str, str]:
    return {f.cause: str(f.severity) for f in Asked(folder, base).findings(check)}


def test_an_end_outside_the_learned_part_is_an_error_of_the_mask_and_of_the_stop(
    family: Family, tmp_path: Path
) -> None:
    inside, outside = family.eos + "{% endgeneration %}", "{% endgeneration %}" + family.eos
    folder = changed(tmp_path, family, family.template.replace(inside, outside))
    assert found(folder, "mask") == {"leaves the end of the assistant's turn unmarked": "error"}
    assert found(folder, "stops") == {"not trained": "error"}


def test_without_the_tags_a_trainer_learns_nothing_and_that_is_information(
    family: Family, tmp_path: Path
) -> None:
    bare = family.template.replace("{% generation %}", "").replace("{% endgeneration %}", "")
    assert found(changed(tmp_path, family, bare), "mask") == {"no tags": "info"}


def test_an_end_that_no_list_holds_is_an_error(family: Family, tmp_path: Path) -> None:
    folder = chat_folders.write(tmp_path, family)
    for name in ("generation_config.json", "config.json"):
        sick.edit(folder, name, lambda c: c.update(eos_token_id=5))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(eos_token=family.pad))
    assert found(folder, "stops") == {"not a stop": "error"}


def test_an_end_that_is_padding_is_a_warning(family: Family, tmp_path: Path) -> None:
    folder = chat_folders.write(tmp_path, replace(family, pad=family.eos))
    assert found(folder, "stops") == {"padding": "warning"}


def test_an_end_that_only_the_next_turn_writes_is_an_error(family: Family, tmp_path: Path) -> None:
    inside = family.eos + "{% endgeneration %}"
    later = "{% if not loop.last %}" + family.eos + "{% endif %}{% endgeneration %}"
    folder = changed(tmp_path, family, family.template.replace(inside, later))
    assert found(folder, "stops") == {"unended": "error"}


def test_a_marker_that_is_not_a_token_next_to_ones_that_are_is_a_warning(
    family: Family, tmp_path: Path
) -> None:
    marker = "[/INST]" if "[/INST]" in family.tokens else family.eos
    if family is FAMILIES["Llama"]:
        marker = "<|end_header_id|>"
    tokens = tuple(one for one in family.tokens if one != marker)
    eos = tokens[-1] if family.eos == marker else family.eos
    folder = chat_folders.write(tmp_path, replace(family, tokens=tokens, eos=eos))
    assert found(folder, "tokens") == {"marker": "warning"}


def test_a_template_that_is_lost_is_an_error_where_the_base_has_it(
    family: Family, tmp_path: Path
) -> None:
    base = chat_folders.write(tmp_path / "base", family)
    folder = chat_folders.write(tmp_path / "model", family)
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("chat_template"))
    assert found(folder, "missing", base) == {"the base has one": "error"}


def test_another_copy_is_a_warning(family: Family, tmp_path: Path) -> None:
    folder = chat_folders.write(tmp_path, family)
    (folder / "chat_template.jinja").write_text(family.template + " ", encoding="utf-8")
    assert found(folder, "copies") == {}
    (folder / "chat_template.jinja").write_text(family.template + "x", encoding="utf-8")
    assert list(found(folder, "copies").values()) == ["warning"]
