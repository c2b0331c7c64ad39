"""Run with a GGUF file: llama.cpp's own server renders what comes in by `/apply-template`.

Reads one JSON object from stdin, `template` and `requests`, and writes one line: a list of
`{"text"}` or `{"error"}`.  The server is started once, with the template.
"""

import json
import sys
import urllib.error
import urllib.request

import xllamacpp


def started(path, template):
    """The address of a server with that template; it ends with the process."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_ctx, parameters.n_parallel, parameters.port = 512, 1, 0
    parameters.warmup, parameters.use_jinja, parameters.chat_template = False, True, template
    parameters.prefill_assistant = False  # it would leave a final answer open, to go on with it
    server = xllamacpp.Server(parameters)
    return server, server.listening_address


def applied(address, request):
    """The text of one request, or the server's own words."""
    head = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{address}/apply-template", json.dumps(request).encode(), head)
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return {"text": json.load(answer)["prompt"]}
    except urllib.error.HTTPError as error:
        return {"error": json.load(error)["error"]["message"].strip().splitlines()[0]}


def main():
    """Answer what was asked."""
    asked = json.load(sys.stdin)
    try:
        _server, address = started(sys.argv[1], asked["template"])
    except Exception as error:
        found = [{"error": f"its server does not start: {error}"}] * len(asked["requests"])
    else:
        found = [applied(address, request) for request in asked["requests"]]
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
