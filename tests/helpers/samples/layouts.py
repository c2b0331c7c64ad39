"""Forty realistic folders, each with a twin that has one fault, made from published tokenizers.

Each row cites the repository and file whose shape its folder copies; only file names and keys are
taken from there.
"""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import class_folders
from real_tokenizers import (
    Json,
    edit,
    ids_of,
    pair,
    put,
    read,
    small_bpe,
    small_model,
    small_unigram,
    weights,
)

from tokaudit.subject.upstream.tokenizer_class import every_class

WTE = "transformer.wte.weight"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"
SDXL = "stabilityai/stable-diffusion-xl-base-1.0: "
MARIAN = "Helsinki-NLP/opus-mt-en-de: source.spm"
NLLB = "facebook/nllb-200-1.3B: sentencepiece.bpe.model"
HUB = "huggingface/transformers 4.57.6: "


@dataclass(frozen=True)
class Source:
    """Where the published tokenizers are."""

    material: Path

    def bpe(self, name: str) -> Json:
        """A small copy of a BPE tokenizer."""
        return _bpe(self.material, name)

    def unigram(self, name: str) -> Json:
        """A small copy of a Unigram tokenizer."""
        return small_unigram(read(self.material, name))

    def file(self, *names: str) -> bytes:
        """A published file."""
        return self.material.joinpath(*names).read_bytes()


@cache
def _bpe(material: Path, name: str) -> Json:
    return small_bpe(read(material, name))


Make = Callable[[Source, Path], None]
Break = Callable[[Path], None]


@dataclass(frozen=True)
class Layout:
    """A folder, whose shape it copies, its fault, the check that finds it, and true warnings."""

    name: str
    cites: str
    make: Make
    fault: Break
    check: str
    warnings: tuple[str, ...] = ()


# Parts that several folders share.


def clip_files(folder: Path, data: Json, pad: str) -> None:
    pair(folder, data)
    roles = {"bos_token": "<|startoftext|>", "eos_token": "<|endoftext|>"}
    roles |= {"unk_token": "<|endoftext|>", "pad_token": pad}
    put(folder / "special_tokens_map.json", roles)
    put(
        folder / "tokenizer_config.json",
        {
            **roles,
            "do_lower_case": True,
            "model_max_length": 77,
            "tokenizer_class": "CLIPTokenizer",
        },
    )


def text_encoder(folder: Path, size: int, kind: str = "CLIPTextModel") -> None:
    config = {"bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1, "vocab_size": size}
    more = {"architectures": [kind], "model_type": "clip_text_model", "max_position_embeddings": 77}
    put(folder / "config.json", config | more)
    weights(
        folder / "model.safetensors", {"text_model.embeddings.token_embedding.weight": [size, 4]}
    )


def pipeline(source: Source, folder: Path, second: bool) -> None:
    data = source.bpe("clip-base")
    parts = {"tokenizer": ["transformers", "CLIPTokenizer"], "unet": ["diffusers", "UNet2D"]}
    put(folder / "model_index.json", {"_class_name": "StableDiffusionPipeline", **parts})
    clip_files(folder / "tokenizer", data, "<|endoftext|>")
    text_encoder(folder / "text_encoder", len(ids_of(data)))
    if second:
        clip_files(folder / "tokenizer_2", data, "!")
        kind = "CLIPTextModelWithProjection"
        text_encoder(folder / "text_encoder_2", len(ids_of(data)), kind)
    for component in ("unet", "vae"):
        put(folder / component / "config.json", {"_class_name": component, "sample_size": 64})
        name = f"{component}/diffusion_pytorch_model.safetensors"
        weights(folder / name, {"conv_in.weight": [4, 4]})
    put(folder / "scheduler" / "scheduler_config.json", {"_class_name": "EulerDiscreteScheduler"})


def causal(source: Source, folder: Path, name: str = "gpt2", *, model: bool = True) -> int:
    """A tokenizer.json with its configs and, if asked for, a model that fits."""
    data = source.bpe(name)
    ids = ids_of(data)
    end = "<|endoftext|>"
    put(folder / "tokenizer.json", data)
    config = {"bos_token": end, "eos_token": end, "unk_token": end, "model_max_length": 1024}
    put(folder / "tokenizer_config.json", {**config, "tokenizer_class": "GPT2Tokenizer"})
    if model:
        causal_model(folder, len(ids), ids[end])
    return len(ids)


def causal_model(folder: Path, size: int, end: int) -> None:
    roles = {"bos_token_id": end, "eos_token_id": end, "vocab_size": size, "n_positions": 1024}
    kind = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "tie_word_embeddings": True}
    put(folder / "config.json", roles | kind)
    put(folder / "generation_config.json", {"bos_token_id": end, "eos_token_id": end})
    weights(folder / "model.safetensors", {"transformer.wte.weight": [size, 4]})


def of_class(name: str) -> Make:
    """The files of one class of the table."""

    def make(source: Source, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        class_folders.of_class(every_class()[name], folder)

    return make


def fairseq(name: str) -> Make:
    """A SentencePiece file next to a tokenizer.json that has the class's ids."""

    def make(source: Source, folder: Path) -> None:
        model = small_model(source.file("tokenizers_more", "donut", "sentencepiece.bpe.model"))
        data = read_donut(source)
        put(folder / "sentencepiece.bpe.model", model)
        put(folder / "tokenizer.json", data)
        config = {"tokenizer_class": name, "bos_token": "<s>", "eos_token": "</s>"}
        more = {"unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>"}
        put(folder / "tokenizer_config.json", config | more)
        ids = ids_of(data)
        roles = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "vocab_size": len(ids)}
        put(folder / "config.json", {**roles, "model_type": "xlm-roberta"})

    return make


def read_donut(source: Source) -> Json:
    """The same pieces as the small model, after fairseq's four tokens and with its mask."""
    data: Json = json.loads(source.file("tokenizers_more", "donut", "tokenizer.json"))
    pieces = data["model"]["vocab"][: class_folders.FAIRSEQ_SHIFT + 500]
    data["model"]["vocab"] = [*pieces, ["<mask>", 0.0]]
    names = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": len(pieces)}
    flags = {"lstrip": False, "rstrip": False, "normalized": False, "single_word": False}
    data["added_tokens"] = [
        {"id": id, "content": text, "special": True, **flags} for text, id in names.items()
    ]
    return data


# Faults.


def set_key(file: str, **values: Any) -> Break:
    return lambda folder: edit(folder / file, lambda data: data.update(values))


def swap(file: str, *keys: str) -> Break:
    """Exchange the ids of two entries of a vocabulary."""

    def fault(folder: Path) -> None:
        def change(data: Any) -> None:
            for key in keys:
                data = data[key]
            one, other = list(data)[300:302]
            data[one], data[other] = data[other], data[one]

        edit(folder / file, change)

    return fault


def exchange_rows(folder: Path) -> None:
    """Two pieces of a Unigram vocabulary exchanged."""

    def change(data: Json) -> None:
        vocab = data["model"]["vocab"]
        vocab[20], vocab[200] = vocab[200], vocab[20]

    edit(folder / "tokenizer.json", change)


def replace_with(file: str, data: bytes) -> Break:
    return lambda folder: put(folder / file, data)


def drop_line(file: str, at: int) -> Break:
    def fault(folder: Path) -> None:
        lines = (folder / file).read_bytes().splitlines(keepends=True)
        (folder / file).write_bytes(b"".join(lines[:at] + lines[at + 1 :]))

    return fault


def short(file: str, name: str) -> Break:
    return lambda folder: weights(folder / file, {name: [100, 4]})


# Folders.


def trainer(source: Source, folder: Path) -> None:
    size = causal(source, folder)
    for step in ("checkpoint-500", "checkpoint-1000"):
        causal(source, folder / step)
        put(folder / step / "trainer_state.json", {"global_step": 500, "size": size})
        put(folder / step / "optimizer.pt", b"PK\x03\x04")


def bare_checkpoint(source: Source, folder: Path) -> None:
    size = causal(source, folder)
    causal_model(folder / "checkpoint-100", size, ids_of(source.bpe("gpt2"))["<|endoftext|>"])


def original(source: Source, folder: Path) -> None:
    causal(source, folder)
    pair(folder / "original", source.bpe("gpt2"), "encoder.json", "vocab.bpe")
    put(folder / "original" / "params.json", {"dim": 4, "n_layers": 1})


def export(name: str) -> Make:
    def make(source: Source, folder: Path) -> None:
        causal(source, folder)
        causal(source, folder / name, model=False)
        put(folder / name / "model.onnx", b"\x08\x07")

    return make


def adapter(source: Source, folder: Path) -> None:
    causal(source, folder, model=False)
    put(folder / "adapter_config.json", {"peft_type": "LORA", "r": 8, "target_modules": ["c_attn"]})
    name = "base_model.model.transformer.h.0.attn.c_attn.lora_A.weight"
    weights(folder / "adapter_model.safetensors", {name: [8, 4]})


def processor(source: Source, folder: Path) -> None:
    data = source.bpe("clip-base")
    put(folder / "tokenizer.json", data)
    clip_files(folder, data, "<|endoftext|>")
    put(folder / "preprocessor_config.json", {"image_processor_type": "CLIPImageProcessor"})
    text = {
        "bos_token_id": 0,
        "eos_token_id": 2,
        "pad_token_id": 1,
        "model_type": "clip_text_model",
    }
    text["vocab_size"] = len(ids_of(data))
    put(
        folder / "config.json",
        {"architectures": ["CLIPModel"], "model_type": "clip", "text_config": text},
    )


def sentence(source: Source, folder: Path) -> None:
    fairseq("XLMRobertaTokenizer")(source, folder)
    put(folder / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True})
    put(
        folder / "modules.json",
        [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}],
    )
    put(folder / "sentence_bert_config.json", {"max_seq_length": 512})


def sharded(source: Source, folder: Path) -> None:
    size = causal(source, folder)
    (folder / "model.safetensors").unlink()
    shards = {WTE: [size, 4], "transformer.wpe.weight": [1024, 4]}
    names = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    for name, (tensor, shape) in zip(names, shards.items(), strict=True):
        weights(folder / name, {tensor: shape})
    index = dict(zip(shards, names, strict=True))
    stated = {"metadata": {"total_size": 0}, "weight_map": index}
    put(folder / "model.safetensors.index.json", stated)


def packed(source: Source, folder: Path) -> None:
    size = causal(source, folder)
    head = {"tie_word_embeddings": False, "quantization_config": {"quant_method": "gptq"}}
    edit(folder / "config.json", lambda c: c.update(head))
    shapes = {"transformer.wte.weight": [size, 4], "lm_head.qweight": [1, size]}
    weights(folder / "model.safetensors", shapes)


def padded(source: Source, folder: Path) -> None:
    size = causal(source, folder)
    rows = -(-size // 64) * 64
    edit(folder / "config.json", lambda c: c.update(vocab_size=rows))
    weights(folder / "model.safetensors", {"transformer.wte.weight": [rows, 4]})


def slow_only_beside(source: Source, folder: Path) -> None:
    causal(source, folder)
    put(folder / "vocab.json", ids_of(source.bpe("gpt2")))


def pair_and_json(source: Source, folder: Path) -> None:
    causal(source, folder)
    pair(folder, source.bpe("gpt2"))


def ranks(source: Source, folder: Path) -> None:
    lines = source.file("tokenizers", "gpt2", "gpt2.tiktoken").splitlines(keepends=True)[:656]
    put(folder / "small.tiktoken", b"".join(lines))
    end = {"content": "<|endoftext|>", "special": True}
    put(folder / "tokenizer_config.json", {"added_tokens_decoder": {"656": end}})


def ranks_json(source: Source, folder: Path) -> None:
    lines = source.file("tokenizers", "gpt2", "gpt2.tiktoken").splitlines()[:656]
    tokens = " ".join(line.split()[0].decode() for line in lines)
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    special = {"<|endoftext|>": 656}
    ranks = {"pat_str": pattern, "special_tokens": special, "bpe_ranks": f"! 0 {tokens}"}
    put(folder / "gpt2.json", ranks)


def twice_ranked(folder: Path) -> None:
    path = folder / "gpt2.json"
    first = base64.b64encode(b"!").decode()
    edit(path, lambda data: data.update(bpe_ranks=data["bpe_ranks"] + f" {first}"))


def gpt1(source: Source, folder: Path) -> None:
    files = class_folders.marked(["<unk>"])
    put(folder / "encoder_bpe_40000.json", files["vocab.json"])
    put(folder / "vocab_40000.bpe", files["merges.txt"])
    put(folder / "tokenizer_config.json", {"tokenizer_class": "OpenAIGPTTokenizer"})


def t5(source: Source, folder: Path) -> None:
    data = source.unigram("t5-small")
    put(folder / "tokenizer.json", data)
    roles = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    put(folder / "tokenizer_config.json", {**roles, "tokenizer_class": "T5Tokenizer"})
    ids = ids_of(data)
    config = {"architectures": ["T5ForConditionalGeneration"], "model_type": "t5"}
    config |= {"eos_token_id": ids["</s>"], "pad_token_id": ids["<pad>"], "vocab_size": len(ids)}
    put(folder / "config.json", config | {"decoder_start_token_id": ids["<pad>"]})


def flux(source: Source, folder: Path) -> None:
    """Two tokenizers of two kinds in one pipeline."""
    pipeline(source, folder, second=False)
    t5(source, folder / "tokenizer_2")
    (folder / "tokenizer_2" / "config.json").rename(folder / "t5.json")
    put(folder / "text_encoder_2" / "config.json", json.loads((folder / "t5.json").read_bytes()))
    (folder / "t5.json").unlink()


def generator(source: Source, folder: Path) -> None:
    """Two tokenizers below one model, as in retrieval-augmented generation."""
    size = causal(source, folder / "generator_tokenizer", model=False)
    clip_files(folder / "question_encoder_tokenizer", source.bpe("clip-base"), "<|endoftext|>")
    asks = {"model_type": "dpr", "vocab_size": len(ids_of(source.bpe("clip-base")))}
    writes = {"model_type": "bart", "vocab_size": size}
    parts = {"question_encoder": asks, "generator": writes}
    put(folder / "config.json", {"architectures": ["RagModel"], "model_type": "rag", **parts})


def deep(source: Source, folder: Path) -> None:
    causal(source, folder / "runs" / "2026" / "sft" / "last")


def with_template(source: Source, folder: Path) -> None:
    causal(source, folder)
    template = "{% for m in messages %}{{ m['content'] }}<|endoftext|>{% endfor %}"
    put(folder / "chat_template.jinja", template.encode())


def unknown_class(source: Source, folder: Path) -> None:
    causal(source, folder)
    edit(folder / "tokenizer_config.json", lambda c: c.update(tokenizer_class="AcornTokenizer"))


def whisper(source: Source, folder: Path) -> None:
    data = source.bpe("whisper-large-v3")
    put(folder / "tokenizer.json", data)
    ids = ids_of(data)
    end = ids["<|endoftext|>"]
    roles = {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}
    put(folder / "tokenizer_config.json", {**roles, "tokenizer_class": "WhisperTokenizer"})
    config = {
        "model_type": "whisper",
        "eos_token_id": end,
        "bos_token_id": end,
        "vocab_size": len(ids),
    }
    put(folder / "config.json", config)


def bert(source: Source, folder: Path) -> None:
    lines = source.file("tokenizers", "bert-base-uncased", "vocab.txt").splitlines(keepends=True)
    put(folder / "vocab.txt", b"".join(lines[:2200]))
    put(
        folder / "tokenizer_config.json",
        {"do_lower_case": True, "tokenizer_class": "BertTokenizer"},
    )
    put(folder / "config.json", {"model_type": "bert", "vocab_size": 2200, "pad_token_id": 0})


def gpt2(folder: str = "") -> str:
    return f"{folder}/tokenizer.json" if folder else "tokenizer.json"


LAYOUTS = (
    Layout(
        "diffusers, one encoder",
        SDXL + "tokenizer/tokenizer_config.json",
        lambda s, f: pipeline(s, f, False),
        short("text_encoder/model.safetensors", "text_model.embeddings.token_embedding.weight"),
        "embeddings/rows",
    ),
    Layout(
        "diffusers, two encoders",
        SDXL + "text_encoder_2/config.json",
        lambda s, f: pipeline(s, f, True),
        short("text_encoder_2/model.safetensors", "text_model.embeddings.token_embedding.weight"),
        "embeddings/rows",
        ("padding/pad-token",),
    ),
    Layout(
        "diffusers, pad of the second",
        SDXL + "tokenizer_2/special_tokens_map.json",
        lambda s, f: pipeline(s, f, True),
        set_key("tokenizer_2/special_tokens_map.json", eos_token="<|startoftext|>"),
        "special_tokens/role-ids",
        ("padding/pad-token",),
    ),
    Layout(
        "diffusers, CLIP and T5",
        "black-forest-labs/FLUX.1-dev: text_encoder_2/config.json",
        flux,
        set_key("text_encoder_2/config.json", eos_token_id=5),
        "special_tokens/role-ids",
    ),
    Layout(
        "trainer's output",
        HUB + "src/transformers/trainer.py",
        trainer,
        swap("checkpoint-500/tokenizer.json", "model", "vocab"),
        "agreement/copies",
    ),
    Layout(
        "trainer, rows of a checkpoint",
        HUB + "src/transformers/trainer_callback.py",
        trainer,
        short("checkpoint-1000/model.safetensors", WTE),
        "embeddings/rows",
    ),
    Layout(
        "checkpoint without tokenizer",
        HUB + "trainer.py Trainer._save",
        bare_checkpoint,
        short("checkpoint-100/model.safetensors", WTE),
        "embeddings/rows",
    ),
    Layout(
        "original release next to it",
        HUB + "models/llama/convert_llama_weights_to_hf.py",
        original,
        swap("original/encoder.json"),
        "agreement/copies",
    ),
    Layout(
        "ONNX export next to it",
        "BAAI/bge-m3: onnx/tokenizer.json",
        export("onnx"),
        swap("onnx/tokenizer.json", "model", "vocab"),
        "agreement/copies",
    ),
    Layout(
        "OpenVINO export next to it",
        "BAAI/bge-reranker-large: onnx/tokenizer.json",
        export("openvino"),
        set_key("openvino/tokenizer_config.json", eos_token="<|nothing|>"),
        "special_tokens/eos-is-special",
    ),
    Layout(
        "PEFT adapter",
        "huggingface/peft: src/peft/utils/constants.py",
        adapter,
        set_key("tokenizer_config.json", pad_token="<|pad|>"),
        "padding/pad-token",
    ),
    Layout(
        "processor",
        HUB + "models/clip/processing_clip.py",
        processor,
        set_key("special_tokens_map.json", bos_token="<|endoftext|>"),
        "special_tokens/role-ids",
    ),
    Layout(
        "sentence encoder",
        "intsig-textin/acge_text_embedding: 1_Pooling/config.json",
        sentence,
        set_key("config.json", eos_token_id=5),
        "special_tokens/role-ids",
    ),
    Layout(
        "shards",
        "kvcache-ai/sglang_awq: model.safetensors.index.json",
        sharded,
        lambda f: (f / "model-00002-of-00002.safetensors").rename(f / "part.bin"),
        "embeddings/shards",
    ),
    Layout(
        "packed head",
        "kvcache-ai/sglang_awq: model.safetensors.index.json",
        packed,
        short("model.safetensors", WTE),
        "embeddings/rows",
    ),
    Layout(
        "padded rows",
        "ibm-granite/granite-3b-code-instruct-128k: model.safetensors.index.json",
        padded,
        set_key("config.json", vocab_size=300),
        "embeddings/config-vocab-size",
    ),
    Layout(
        "vocab without merges",
        HUB + "models/gpt2/tokenization_gpt2.py",
        slow_only_beside,
        set_key("generation_config.json", eos_token_id=3),
        "special_tokens/role-ids",
    ),
    Layout(
        "pair next to tokenizer.json",
        "NbAiLab/nb-whisper-small-beta: onnx/tokenizer.json",
        pair_and_json,
        swap("vocab.json"),
        "agreement/vocab",
    ),
    Layout(
        "merges of the pair",
        "NbAiLab/nb-whisper-small-beta: onnx/tokenizer.json",
        pair_and_json,
        drop_line("merges.txt", 200),
        "agreement/merges",
    ),
    Layout(
        "ranks with stated tokens",
        "meta-llama/Meta-Llama-3-8B: tokenizer_config.json",
        ranks,
        drop_line("small.tiktoken", 300),
        "vocab/holes",
    ),
    Layout(
        "ranks in JSON",
        "js-tiktoken of npm: ranks/gpt2",
        ranks_json,
        twice_ranked,
        "files/parse",
    ),
    Layout(
        "GPT-1's names",
        HUB + "models/openai/convert_openai_original_tf_checkpoint_to_pytorch.py",
        gpt1,
        replace_with("vocab_40000.bpe", b"#version: 0.2\nt h x y\n"),
        "files/parse",
    ),
    Layout(
        "Unigram of T5",
        "Falconsai/text_summarization: onnx/tokenizer.json",
        t5,
        exchange_rows,
        "vocab/id-order",
    ),
    Layout("XLM-R", NLLB, fairseq("XLMRobertaTokenizer"), exchange_rows, "agreement/vocab"),
    Layout(
        "Donut",
        "naver-clova-ix/donut-base: sentencepiece.bpe.model",
        fairseq("XLMRobertaTokenizerFast"),
        set_key("config.json", pad_token_id=0),
        "special_tokens/role-ids",
    ),
    Layout(
        "Marian",
        MARIAN,
        of_class("MarianTokenizer"),
        set_key("tokenizer_config.json", eos_token="<eos>"),
        "special_tokens/eos-is-special",
    ),
    Layout(
        "Marian without the vocabulary's unknown",
        MARIAN,
        of_class("MarianTokenizer"),
        lambda f: edit(f / "vocab.json", lambda v: v.pop("<unk>")),
        "files/parse",
    ),
    Layout(
        "M2M-100",
        HUB + "models/m2m_100/tokenization_m2m_100.py",
        of_class("M2M100Tokenizer"),
        replace_with("sentencepiece.bpe.model", POINTER),
        "files/kind",
    ),
    Layout(
        "mBART",
        HUB + "models/mbart/tokenization_mbart.py",
        of_class("MBartTokenizer"),
        set_key("tokenizer_config.json", pad_token="<PAD>"),
        "padding/pad-token",
    ),
    Layout(
        "CamemBERT",
        HUB + "models/camembert/tokenization_camembert.py",
        of_class("CamembertTokenizer"),
        set_key("tokenizer_config.json", eos_token="<end>"),
        "special_tokens/eos-is-special",
    ),
    Layout(
        "Pegasus",
        HUB + "models/pegasus/tokenization_pegasus.py",
        of_class("PegasusTokenizer"),
        set_key("tokenizer_config.json", pad_token="<none>"),
        "padding/pad-token",
    ),
    Layout(
        "BARTpho",
        HUB + "models/bartpho/tokenization_bartpho.py",
        of_class("BartphoTokenizer"),
        set_key("tokenizer_config.json", eos_token="<end>"),
        "special_tokens/eos-is-special",
    ),
    Layout(
        "PhoBERT",
        HUB + "models/phobert/tokenization_phobert.py",
        of_class("PhobertTokenizer"),
        drop_line("vocab.txt", 2),
        "merges/parts-exist",
    ),
    Layout(
        "FSMT",
        HUB + "models/fsmt/tokenization_fsmt.py",
        of_class("FSMTTokenizer"),
        replace_with("merges.txt", b"t h i s\n"),
        "files/parse",
    ),
    Layout(
        "retrieval and generation",
        HUB + "models/rag/tokenization_rag.py",
        generator,
        swap("generator_tokenizer/tokenizer.json", "model", "vocab"),
        "vocab/id-order",
    ),
    Layout(
        "deep in the tree",
        "huggingface/lerobot: src/lerobot/utils/constants.py",
        deep,
        set_key("runs/2026/sft/last/generation_config.json", eos_token_id=9),
        "special_tokens/role-ids",
    ),
    Layout(
        "template in its own file",
        HUB + "tokenization_utils_base.py save_chat_templates",
        with_template,
        replace_with("chat_template.jinja", b"{% for m in %}"),
        "chat_template/renders",
    ),
    Layout(
        "unknown class",
        "openbmb/MiniCPM-V-2: preprocessor_config.json",
        unknown_class,
        set_key("config.json", vocab_size=10),
        "embeddings/config-vocab-size",
        warnings=("loaders/loads",),
    ),
    Layout(
        "Whisper",
        "NbAiLab/nb-whisper-small-beta: onnx/tokenizer.json",
        whisper,
        set_key("config.json", eos_token_id=10),
        "special_tokens/role-ids",
    ),
    Layout(
        "BERT's words",
        "BAAI/bge-large-zh-v1.5: 1_Pooling/config.json",
        bert,
        drop_line("vocab.txt", 0),
        "special_tokens/role-ids",
    ),
)
