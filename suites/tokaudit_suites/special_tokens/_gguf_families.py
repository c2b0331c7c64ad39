"""BOS and EOS habits of model families, if a GGUF file is all there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tokaudit.plugin import Fact, Finding, Severity
from tokaudit.subject.upstream.llama_cpp.gguf_models import Habits, gguf_model, habits
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import quote


@dataclass(frozen=True, slots=True)
class Ends:
    """A file's flags for BOS and EOS; None if missing."""

    bos: bool | None
    eos: bool | None


def against_family(
    spec: TokenizerSpec, file: str, stated: Mapping[str, Fact], on: Ends
) -> Iterator[Finding]:
    """Report a flag that contradicts the habit of the file's model family."""
    model, pre = text_of(stated, "gguf_model"), text_of(stated, "gguf_pre")
    known = habits(model, pre, text_of(stated, "gguf_architecture"))
    if on.bos is False:
        yield from _lost(spec, file, stated, known)
    bos, eos = (stated.get(f"{role}_token_id") for role in ("bos", "eos"))
    if on.bos and model == "gpt2" and bos is not None and eos and bos.value == eos.value:
        token = quote(name_of(spec, bos.value) or "")
        yield Finding(
            Severity.WARNING,
            f"{file} puts {token} before every text, but {token} is also the end-of-text token: "
            "most models with one token for both use this token only at the end.",
            (place_of(stated["add_bos_token"], "special_roles"),),
            cause="bos is eos",
        )
    if on.eos and known.generates and "gguf_pooling" not in stated:
        yield Finding(
            Severity.WARNING,
            f"{file} adds EOS after every text, although no key says that the model computes "
            "embeddings: a prompt then ends before the model answers.",
            (place_of(stated["add_eos_token"], "special_roles"),),
            cause="eos added",
            repair=repaired(set_to(place_of(stated["add_eos_token"], "special_roles"), False)),
        )


def _lost(
    spec: TokenizerSpec, file: str, stated: Mapping[str, Fact], known: Habits
) -> Iterator[Finding]:
    """Report BOS disabled for a family that uses it; a template may write it instead."""
    family = text_of(stated, "gguf_architecture")
    named = text_of(stated, "gguf_pre") or text_of(stated, "gguf_model")
    needs, bos = known.needs_bos, stated.get("bos_token_id")
    if bos is None or not (needs or known.begins_with_bos):
        return
    token = name_of(spec, bos.value)
    template = text_of(stated, "chat_template")
    written = "bos_token" in template or (isinstance(token, str) and token in template)
    severity = Severity.ERROR if needs else Severity.INFO if written else Severity.WARNING
    model, pre = text_of(stated, "gguf_model"), text_of(stated, "gguf_pre")
    always = gguf_model(model, pre).bos_always
    severity = Severity.WARNING if always and severity is Severity.ERROR else severity
    since = "; llama.cpp begins with it all the same since PR#21500" if always else ""
    habit = f"llama.cpp puts before every text by habit for {named}"
    whose = f"models of {family} begin every text with" if needs else habit
    which = "a prompt that no template renders" if written else "a prompt"
    yield Finding(
        severity,
        f"{file} switches off BOS, {quote(token or '')}, which {whose}: {which} gets none{since}.",
        (place_of(stated["add_bos_token"], "special_roles"),),
        cause="bos off",
        repair=repaired(set_to(place_of(stated["add_bos_token"], "special_roles"), True)),
    )


def text_of(stated: Mapping[str, Fact], name: str) -> str:
    """Return the text value of a key; empty without one."""
    fact = stated.get(name)
    return fact.value if fact is not None and isinstance(fact.value, str) else ""
