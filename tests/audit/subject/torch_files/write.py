"""Writes the checkpoints of this folder; run with torch 2.13.0 (`python write.py`)."""

from __future__ import annotations

from pathlib import Path

import torch
import torch.distributed.checkpoint as distributed

HERE = Path(__file__).parent


def tensors() -> dict[str, torch.Tensor]:
    """One tensor of each kind that a checkpoint holds: tied, sliced, turned, and of each type."""
    embedding = torch.nn.Parameter(torch.arange(24, dtype=torch.float32).reshape(6, 4) / 8)
    large = torch.arange(40, dtype=torch.float32).reshape(10, 4)
    return {
        "model.embed_tokens.weight": embedding,
        "lm_head.weight": embedding,
        "sliced.weight": large[2:5],
        "turned.weight": large.t(),
        "half.weight": torch.tensor([[1.0, 2.0], [3.0, float("nan")]], dtype=torch.float16),
        "brain.weight": torch.tensor([[1.0, 2.0]], dtype=torch.bfloat16),
        "double.weight": torch.zeros((1, 2), dtype=torch.float64),
        "position_ids": torch.arange(3),
        "mask": torch.tensor([True, False]),
        "scalar": torch.tensor(2.5),
        "empty": torch.zeros((0, 4)),
    }


for name, zipped in (("zip.bin", True), ("legacy.bin", False)):
    torch.save(tensors(), HERE / name, _use_new_zipfile_serialization=zipped)
nested = {"epoch": 3, "lr": 1e-4, "state_dict": tensors(), "betas": (0.9, 0.95), "best": None}
torch.save(nested, HERE / "nested.pt")
module = torch.nn.Sequential()
module.add_module("embed_tokens", torch.nn.Embedding(6, 4))
torch.save(module.state_dict(), HERE / "state_dict.pth")
torch.save({"scaled.weight": torch.ones((2, 2)).to(torch.float8_e4m3fn)}, HERE / "eight_bits.pt")
torch.save(
    {"x": torch.ones(3), "size": torch.Size([1, 2]), "dtype": torch.float16}, HERE / "others.pt"
)
torch.save(module, HERE / "whole_module.pt")
folder = HERE / "distributed"
step = {"step": torch.tensor(3), "state": {"embed_tokens.weight": {"exp_avg": torch.ones(6, 4)}}}
state = {"model": tensors(), "optimizer": step, "train_state": {"step": 5, "name": "small"}}
distributed.save(state, checkpoint_id=folder)
