#!/usr/bin/env python3
"""A reader of Junie's sessions for Reprise: READERS.md says what it prints."""
import json, os, sys
from pathlib import Path

ROOT = Path(os.environ.get("JUNIE_HOME", "~/.junie")).expanduser() / "sessions"

def lines(path):
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        try:
            yield json.loads(line)
        except ValueError:
            print(line)  # Reprise reports what is not JSON.

def say(kind, time=None, **payload):
    print(json.dumps({"kind": kind, "time": time, "payload": payload}))

if sys.argv[1] == "sessions":
    for one in lines(ROOT / "index.jsonl"):
        files = [str(ROOT / one["sessionId"] / "events.jsonl"), str(ROOT / "index.jsonl")]
        print(json.dumps({"id": one["sessionId"], "files": files, "title": one.get("taskName"),
                          "directory": one.get("projectDir"), "created": one.get("createdAt")}))
else:
    for number, line in enumerate(lines(ROOT / sys.argv[2] / "events.jsonl")):
        event, time = line.get("event", {}).get("agentEvent", {}), line.get("timestampMs")
        kind, call = event.get("kind"), f"{event.get('stepId')}-{number}"
        if line.get("kind") == "UserPromptEvent":
            say("user_message", time, content=line["prompt"])
        elif kind == "ResultBlockUpdatedEvent":
            say("assistant_message", time, content=event["result"])
        elif kind == "TerminalBlockUpdatedEvent":
            part = {"type": "tool_call", "call_id": call, "name": "bash", "input": {"command": event["command"]}}
            say("assistant_message", time, content=[part])
            say("tool_end", time, call_id=call, name="bash", status="ok", output=event["details"])
        elif kind == "LlmResponseMetadataEvent":
            for use in event["modelUsage"]:
                usage = {"input": use["inputTokens"], "output": use["outputTokens"]}
                say("assistant_message", time, content="", model=use["model"], usage=usage)
        else:
            print(json.dumps({"kind": "junie", "time": time, "payload": line}))
