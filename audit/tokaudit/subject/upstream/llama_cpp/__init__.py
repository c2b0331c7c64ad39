"""The treatment by llama.cpp and its chat template engines of what a GGUF file names."""
