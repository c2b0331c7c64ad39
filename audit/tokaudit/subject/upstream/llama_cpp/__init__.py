"""The rules of llama.cpp and its chat template engines for what a GGUF file names."""
