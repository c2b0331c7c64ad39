"""Run with a GGUF file: llama.cpp's own server on it, until this process is ended."""

import sys
import time

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.n_ctx, parameters.n_parallel, parameters.port = 512, 1, 0
parameters.warmup = False
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
time.sleep(600)
