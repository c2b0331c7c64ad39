#!/bin/bash -eu
# Builds every target with its corpus into $OUT, as OSS-Fuzz asks.
cd "$SRC/tokaudit"
pip3 install --require-hashes --requirement requirements.lock
pip3 install --no-deps --no-build-isolation .
export PYTHONPATH="$SRC/tokaudit/tools"
for target in tools/tokaudit_fuzz/oss_fuzz/fuzz_*.py; do
  name=$(basename "$target" .py)
  compile_python_fuzzer "$target" --collect-all tokaudit --collect-all tokaudit_fuzz
  (cd "tools/tokaudit_fuzz/oss_fuzz/corpus/$name" && zip --quiet "$OUT/${name}_seed_corpus.zip" ./*)
done
