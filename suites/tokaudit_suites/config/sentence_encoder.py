"""Files of a sentence encoder that sentence-transformers cannot build it from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.safe_json import parse, pointer
from tokaudit.subject.upstream.sentence_encoders import (
    Counts,
    EncoderModule,
    encoder_outputs,
    encoder_settings,
    older_names,
    pooling_switches,
    values_taken,
)
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit_suites.config._pooling_keys import MODE
from tokaudit_suites.shared.listed_modules import LISTED, ListedModule, ListedModules
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import some

ENCODER, POOLING, TRANSFORMER = "config_sentence_transformers.json", "Pooling", "Transformer"
LENGTH, TASK, OUTPUT = "max_seq_length", "transformer_task", "module_output_name"
MODALITIES, METHODS = "modality_config", ("method", "method_output_name")
INPUT, PROMPTS, SIMILARITY, TYPE = (
    "module_input_name",
    "prompts",
    "similarity_fn_name",
    "model_type",
)
OF_POOLING = ("include_prompt",)  # a key of it besides those that every module has
PARTS = ("type", "path", "name")
LONGEST = 60
DEFAULT, STARTS, ADAPTER = "default_prompt_name", "config.json", "adapter_config.json"
NO_INPUT = "stops at the first text, or leaves the module out"
NO_LENGTH = "stops at the first text, or makes the same vector of each"
NO_WIDTH = "stops, or states a width that no vector has"
STOPS = "stops with an error"
OTHERS = "builds other modules than the list has"


@dataclass(frozen=True, slots=True)
class Refused:
    """A fault on which the library raises, with the value that causes it."""

    says: str
    file: str
    at: tuple[str | int, ...] = ()
    value: Any = None
    then: str = STOPS

    @property
    def cause(self) -> str:
        """Return the faulty key, or the kind of a faulty entry or file.

        >>> Refused("", "", (0, "type")).cause, Refused("", "", (0,)).cause, Refused("", "").cause
        ('type', 'module', 'file')
        """
        keys = (part for part in self.at if isinstance(part, str))
        return next(keys, "module" if self.at else "file")


@check(
    "config/sentence-encoder",
    title="sentence-transformers builds the encoder",
    why="sentence-transformers builds each module of an encoder by calling the module's class "
    "with every key of the module's config. sentence-transformers fails to load an encoder if the "
    "class of a module does not exist, or if the config of a module lacks a key or has an unknown "
    "value. Some errors in a module's config appear only with the first text; until then the "
    "encoder seems to load correctly.",
    remedy="Correct {pointer|the value} in {file|the file named}, or take the file from the base.",
    repair=person_decides("no file says what the value was meant to say"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="A modules.json that names a class which the version does not have ends loading "
    "with ImportError, a Pooling config without its width with TypeError "
    "(sentence-transformers 5.7.0, util/misc.py and modules/pooling.py).",
)
def sentence_encoder(
    subject: Subject, contents: Contents, listed: ListedModules
) -> Iterator[Finding]:
    """Check the module list, the modules' files, and the settings of the whole."""
    if not listed.by_file:
        raise NotApplicable("no file lists the modules of a sentence encoder")
    files = {file.name: file for file in subject.files if not file.impostor}
    for name, modules in listed.by_file.items():
        for each in _Encoder(files, contents, name, modules).refusals():
            message = f"{each.says}: sentence-transformers {SENTENCE_TRANSFORMERS} {each.then}."
            place = Place("config", each.file, pointer(*each.at), each.value)
            yield Finding(Severity.ERROR, message, (place,), cause=each.cause)


@dataclass(frozen=True)
class _Encoder:
    """The module list of one encoder, and the files that it names."""

    files: Mapping[str, SourceFile]
    contents: Contents
    name: str
    modules: Sequence[ListedModule]

    def refusals(self) -> Iterator[Refused]:
        """Yield every fault on which the library raises."""
        yield from self._of_list()
        yield from self._of_chain()
        own_code = any(module.own_code for module in self.modules)
        above = self.name.removesuffix(LISTED)
        if not own_code and (stated := self._object(above + ENCODER)) is not None:
            yield from _of_whole(above + ENCODER, stated)

    def _json(self, name: str) -> Any:
        """Parse a JSON file; None if it is missing or malformed, as files/parse reports."""
        try:
            return parse(self.contents.whole(self.files[name]), name)
        except (KeyError, UnreadableError):
            return None

    def _object(self, name: str) -> Mapping[str, Any] | None:
        found = self._json(name)
        return found if isinstance(found, dict) else None

    def _of_list(self) -> Iterator[Refused]:
        entries = self._json(self.name)
        if not entries and entries is not None:
            yield Refused(f"{self.name} lists no module", self.name)
        for at, entry in enumerate(entries if isinstance(entries, list) else ()):
            if not isinstance(entry, dict):
                yield Refused(f"{self.name} lists {_short(entry)}", self.name, (at,), entry)
                continue
            for part in PARTS:
                said = f"{part} of module {at} in {self.name}"
                if part not in entry:
                    yield Refused(f"{said} is missing", self.name, (at,), entry)
                elif part != "path" and not (isinstance(entry[part], str) and entry[part]):
                    yield Refused(
                        f"{said} is {_short(entry[part])}, not a name", self.name, (at, part)
                    )

    def _of_chain(self) -> Iterator[Refused]:
        """Yield unknown classes, configs with missing keys, and vectors that no module makes."""
        made: set[str] | None = set()
        for at, module in enumerate(self.modules):
            known, kind = module.known, module.type.rpartition(".")[2]
            if not module.type:
                return
            if "." not in module.type or (
                not module.own_code and kind not in values_taken()["type"]
            ):
                said = f"{self.name} names {module.type[:LONGEST]}, a class that the library lacks"
                yield Refused(said, self.name, (at, "type"), module.type)
            if known is None or module.own_code:
                made = None  # it may make anything
                continue
            stated = self._stated(module, kind)
            if kind == TRANSFORMER:
                yield from self._of_folder(at, module)
                yield from _of_transformer(*stated)
            elif known.needs_config and stated[0] in self.files:
                yield from _of_config(*stated, known, kind)
            settings = stated[1]
            if made is not None:
                reads = settings.get(INPUT) or known.reads
                if reads and reads not in made:
                    said = f"{kind} takes {reads}, which no module before it makes"
                    yield Refused(said, self.name, (at, "type"), module.type, NO_INPUT)
                    return
                writes = encoder_outputs().get(str(settings.get(TASK)), known.writes) or reads
                made.add(str(settings.get(OUTPUT) or writes))

    def _of_folder(self, at: int, module: ListedModule) -> Iterator[Refused]:
        """Yield a model whose folder is missing, or has nothing to build it from."""
        if not isinstance(module.place.value, str):
            said = (
                f"path of module {at} in {self.name} is {_short(module.place.value)}, not a folder"
            )
            yield Refused(said, self.name, (at, "path"), module.place.value)
        elif module.path and not {module.file(STARTS), module.file(ADAPTER)} & self.files.keys():
            said = f"{self.name} names {module.path[:LONGEST]}, which has no {STARTS}"
            yield Refused(said, self.name, (at, "path"), module.path)

    def _stated(self, module: ListedModule, kind: str) -> tuple[str, Mapping[str, Any]]:
        """Return the file of a module's settings, and its content."""
        assert module.known is not None
        bases = encoder_settings() if kind == TRANSFORMER else (module.known.config,)
        names = [module.file(base) for base in bases]
        name = next((each for each in names if each in self.files), names[0])
        return name, self._object(name) or {}


def _of_transformer(file: str, stated: Mapping[str, Any]) -> Iterator[Refused]:
    length = stated.get(LENGTH)
    if length is not None and not (_is_whole(length) and length > 0):
        said = f"{LENGTH} in {file} is {_short(length)}, which cuts no text"
        yield Refused(said, file, (LENGTH,), length, NO_LENGTH)
    if TASK in stated and stated[TASK] not in values_taken()[TASK]:
        said = f"{TASK} in {file} is {_short(stated[TASK])}, and not {some(values_taken()[TASK])}"
        yield Refused(said, file, (TASK,), stated[TASK])
    if MODALITIES not in stated:
        return
    kinds = stated[MODALITIES]
    if not isinstance(kinds, dict) or not kinds:
        yield Refused(f"{MODALITIES} in {file} has no kind of input", file, (MODALITIES,), kinds)
        return
    for kind, entry in kinds.items():
        for key in METHODS:
            if not isinstance(entry, dict) or key not in entry:
                said = f"{MODALITIES} in {file} has no {key} for {kind[:LONGEST]}"
                yield Refused(said, file, (MODALITIES, kind), entry)
                break
            if key == METHODS[0] and not (entry[key] and isinstance(entry[key], str)):
                said = f"{key} of {kind[:LONGEST]} in {file} is {_short(entry[key])}"
                yield Refused(said, file, (MODALITIES, kind, key), entry[key])
    if not stated.get(OUTPUT):
        said = f"{file} has {MODALITIES} and no {OUTPUT}"
        yield Refused(said, file, (MODALITIES,), stated.get(OUTPUT))


def _of_config(
    file: str, stated: Mapping[str, Any], known: EncoderModule, kind: str
) -> Iterator[Refused]:
    """Yield missing keys that a class needs, and keys that Pooling does not accept."""
    factors = (each for each in known.gives if each.counts is Counts.NUMBER)
    lengths = [each.key for each in factors if each.default is None]
    for key in (known.takes, *lengths):
        name = key if key in stated else older_names().get(key, key)
        if name not in stated:
            yield Refused(f"{file} lacks {key}, without which there is no {kind}", file)
        elif not (_is_whole(stated[name]) and stated[name] > 0):
            said = f"{name} in {file} is {_short(stated[name])}, which is no width"
            yield Refused(said, file, (name,), stated[name], NO_WIDTH)
    if kind == POOLING:
        if not stated.get(MODE, True):
            said = f"{MODE} in {file} is {_short(stated[MODE])}, which is no way to pool"
            yield Refused(said, file, (MODE,), stated[MODE])
        keys = (known.takes, older_names()[known.takes], MODE, *OF_POOLING, *pooling_switches())
        for key in stated:
            if key not in keys:
                said = f"{file} has the key {key[:LONGEST]}, which {kind} does not take"
                yield Refused(said, file, (key,), stated[key])


def _of_whole(file: str, stated: Mapping[str, Any]) -> Iterator[Refused]:
    prompts = stated.get(PROMPTS, {})
    if not isinstance(prompts, dict):
        yield Refused(f"{PROMPTS} in {file} is {_short(prompts)}, not an object", file, (PROMPTS,))
    else:
        for name, prompt in prompts.items():
            if prompt is not None and not isinstance(prompt, str):
                said = f"the prompt {name[:LONGEST]} in {file} is {_short(prompt)}, not a text"
                yield Refused(said, file, (PROMPTS, name), prompt, "stops where it is used")
    default = stated.get(DEFAULT)
    if default is not None and not isinstance(default, str):
        yield Refused(f"{DEFAULT} in {file} is {_short(default)}", file, (DEFAULT,), default)
    for key in (SIMILARITY, TYPE):
        value = stated.get(key)
        empty = value is None and (key == SIMILARITY or key not in stated)
        if not empty and value not in values_taken()[key]:
            said = f"{key} in {file} is {_short(value)}, and not {some(values_taken()[key])}"
            then = OTHERS if key == TYPE else STOPS
            yield Refused(said, file, (key,), value, then)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _short(value: Any) -> str:
    return repr(value)[:LONGEST]
