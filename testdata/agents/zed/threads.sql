-- Zed's threads in a database of its schema (crates/agent/src/db.rs, zed-industries/zed at 0642ec7).
-- Zed writes documents compressed by zstd: the tests compress them.
CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    summary TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL,
    data BLOB NOT NULL,
    parent_id TEXT,
    folder_paths TEXT,
    folder_paths_order TEXT,
    created_at TEXT
);
INSERT INTO threads VALUES ('7c2a1d0f-0000-4000-8000-000000000001', 'Mend the parser', '2026-07-04T19:20:00+00:00', 'json', '{
 "version": "0.3.0",
 "title": "Mend the parser",
 "updated_at": "2026-07-04T19:20:00Z",
 "detailed_summary": "A longer summary of the thread.",
 "draft_prompt": null,
 "imported": false,
 "initial_project_snapshot": {
  "worktree_snapshots": [
   {
    "worktree_path": "/home/dev/my-app",
    "git_state": {
     "current_branch": "main",
     "head_sha": "0123456789abcdef0123456789abcdef01234567"
    }
   }
  ],
  "timestamp": "2026-07-04T19:10:00Z"
 },
 "cumulative_token_usage": {
  "input_tokens": 90,
  "output_tokens": 30,
  "cache_read_input_tokens": 700,
  "cache_creation_input_tokens": 20
 },
 "request_token_usage": {
  "u1": {
   "input_tokens": 50,
   "output_tokens": 10
  }
 },
 "model": {
  "provider": "anthropic",
  "model": "claude-sonnet-4"
 },
 "profile": "write",
 "subagent_context": null,
 "messages": [
  {
   "User": {
    "id": "u1",
    "content": [
     {
      "Text": "Make the tests pass of "
     },
     {
      "Mention": {
       "uri": {
        "Symbol": {
         "abs_path": "/home/dev/my-app/parser.go",
         "name": "Parse",
         "line_range": {
          "start": 4,
          "end": 6
         }
        }
       },
       "content": "func Parse() {}"
      }
     },
     {
      "Mention": {
       "uri": {
        "Fetch": {
         "url": "https://example.com/doc"
        }
       },
       "content": "A page."
      }
     },
     {
      "Image": {
       "source": "iVBORw0KGgo=",
       "size": {
        "width": 1,
        "height": 1
       }
      }
     }
    ]
   }
  },
  {
   "Agent": {
    "content": [
     {
      "Thinking": {
       "text": "Where are they?",
       "signature": "c2ln"
      }
     },
     {
      "RedactedThinking": "b3BhcXVl"
     },
     {
      "Text": "I look first."
     },
     {
      "ToolUse": {
       "id": "t1",
       "name": "terminal",
       "raw_input": "{\"command\":\"go test\",\"cd\":\"my-app\"}",
       "input": {
        "command": "go test",
        "cd": "my-app"
       },
       "is_input_complete": true,
       "thought_signature": null
      }
     },
     {
      "ToolUse": {
       "id": "t2",
       "name": "edit_file",
       "raw_input": "{}",
       "input": {
        "path": "my-app/parser.go",
        "mode": "edit"
       },
       "is_input_complete": true
      }
     },
     {
      "ToolUse": {
       "id": "t3",
       "name": "fetch",
       "raw_input": "{}",
       "input": {
        "url": "https://example.com"
       },
       "is_input_complete": true
      }
     },
     {
      "ToolUse": {
       "id": "t4",
       "name": "grep",
       "raw_input": "{\"regex\":",
       "input": {},
       "is_input_complete": false
      }
     }
    ],
    "tool_results": {
     "t1": {
      "tool_use_id": "t1",
      "tool_name": "terminal",
      "is_error": false,
      "content": [
       {
        "Text": "FAIL my-app/parser"
       }
      ],
      "output": null
     },
     "t2": {
      "tool_use_id": "t2",
      "tool_name": "edit_file",
      "is_error": false,
      "content": {
       "Text": "Edited my-app/parser.go"
      },
      "output": {
       "input_path": "my-app/parser.go",
       "old_text": "package parser\n\nfunc Parse() {}\n",
       "new_text": "package parser\n\nfunc Parse() error { return nil }\n",
       "diff": "@@ -1,3 +1,3 @@\n package parser\n \n-func Parse() {}\n+func Parse() error { return nil }\n"
      }
     },
     "t3": {
      "tool_use_id": "t3",
      "tool_name": "fetch",
      "is_error": true,
      "content": "Tool canceled by user",
      "output": null
     }
    },
    "reasoning_details": [
     {
      "type": "reasoning.encrypted",
      "data": "eHh4"
     }
    ]
   }
  },
  "Resume",
  {
   "Agent": {
    "content": [
     {
      "Text": "It passes now."
     }
    ],
    "tool_results": {},
    "reasoning_details": null
   }
  },
  {
   "Compaction": {
    "Summary": "The parser returns an error now."
   }
  },
  {
   "User": {
    "id": "u2",
    "content": [
     {
      "Text": "Thanks"
     }
    ]
   }
  },
  {
   "Agent": {
    "content": [
     {
      "Text": "You are welcome."
     }
    ],
    "tool_results": {},
    "reasoning_details": null
   }
  },
  {
   "Later": {
    "text": "a kind of a later version"
   }
  }
 ]
}', NULL, '/home/dev/lib
/home/dev/my-app', '1,0', '2026-07-04T19:10:00+00:00');
INSERT INTO threads VALUES ('c0ffee00-0000-4000-8000-000000000002', 'Find the parser', '2026-07-04T19:12:00+00:00', 'json', '{
 "version": "0.3.0",
 "title": "Find the parser",
 "updated_at": "2026-07-04T19:12:00Z",
 "messages": [
  {
   "User": {
    "id": "c1",
    "content": [
     {
      "Text": "Find the parser"
     }
    ]
   }
  },
  {
   "Agent": {
    "content": [
     {
      "Text": "It is in parser.go."
     }
    ],
    "tool_results": {}
   }
  }
 ],
 "cumulative_token_usage": {},
 "request_token_usage": {
  "c1": {
   "input_tokens": 7,
   "output_tokens": 3
  }
 },
 "subagent_context": {
  "parent_thread_id": "7c2a1d0f-0000-4000-8000-000000000001",
  "depth": 1
 }
}', '7c2a1d0f-0000-4000-8000-000000000001', '/home/dev/my-app', '0', '2026-07-04T19:11:00+00:00');
INSERT INTO threads VALUES ('0ld00000-0000-4000-8000-000000000003', 'An old thread', '2025-06-01T10:00:00+00:00', 'json', '{
 "version": "0.1.0",
 "summary": "An old thread",
 "updated_at": "2025-06-01T10:00:00Z",
 "messages": [
  {
   "id": 1,
   "role": "user",
   "segments": [],
   "context": "<context>notes.txt</context>"
  },
  {
   "id": 2,
   "role": "assistant",
   "segments": [
    {
     "type": "thinking",
     "text": "Hm."
    },
    {
     "type": "RedactedThinking",
     "data": "b3Bh"
    },
    {
     "type": "text",
     "text": "I read it."
    }
   ],
   "tool_uses": [
    {
     "id": "o1",
     "name": "read_file",
     "input": {
      "path": "my-app/notes.txt"
     }
    }
   ]
  },
  {
   "id": 3,
   "role": "user",
   "segments": [
    {
     "type": "text",
     "text": "Here is the result."
    }
   ],
   "tool_results": [
    {
     "tool_use_id": "o1",
     "is_error": false,
     "content": "remember the milk",
     "output": null
    }
   ]
  },
  {
   "id": 4,
   "role": "system",
   "segments": [
    {
     "type": "text",
     "text": "Be brief."
    }
   ]
  },
  {
   "id": 5,
   "role": "assistant",
   "segments": [
    {
     "type": "text",
     "text": "Milk."
    }
   ]
  }
 ],
 "request_token_usage": [
  {
   "input_tokens": 0
  },
  {
   "input_tokens": 11,
   "output_tokens": 2
  },
  {},
  {},
  {
   "input_tokens": 5,
   "output_tokens": 1
  }
 ]
}', NULL, NULL, NULL, '2025-06-01T10:00:00+00:00');
INSERT INTO threads VALUES ('0ldest00-0000-4000-8000-000000000004', 'The oldest thread', '2025-03-01T10:00:00+00:00', 'json', '{
 "summary": "The oldest thread",
 "updated_at": "2025-03-01T10:00:00Z",
 "messages": [
  {
   "id": 0,
   "role": "user",
   "text": "Hello"
  },
  {
   "id": 1,
   "role": "assistant",
   "text": "Hello to you."
  }
 ]
}', NULL, NULL, NULL, NULL);
