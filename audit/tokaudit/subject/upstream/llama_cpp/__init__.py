"""What llama.cpp and the engines of its chat templates do with what a GGUF file names."""
