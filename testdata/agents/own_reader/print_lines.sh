# A reader of sessions that are kept as they are printed: a file each in the folder $1.
case $2 in
sessions)
  for file in "$1"/*.jsonl; do
    [ -e "$file" ] || continue
    name=${file##*/}
    printf '{"id":"%s","files":["%s"],"directory":"/w","created":"2026-11-20T10:00:00Z"}\n' \
      "${name%.jsonl}" "$file"
  done
  ;;
events) cat "$1/$3.jsonl" ;;
esac
