;; Searches bytes 64 at a time. Made into lib/core/log/byte_finder_code.ts by
;;   deno run -A tests/_support/make_byte_finder.ts
;; tests/core/log/byte_finder_test.ts compiles this file again and compares.
(module
  ;; Grown by whoever makes an instance, before anything is put there.
  (memory (export "memory") 1)
  ;; 0 if the last `places` read a NUL, perhaps in the 63 bytes behind its end; else 1.
  (global $full (export "full") (mut i32) (i32.const 0))

  ;; The first place in [p, end) where a pattern lies as a whole; -1 if none. The pattern is `length`
  ;; values followed by as many masks; its bytes `at1` and `at2` are looked for first.
  ;; 64 + length bytes behind `end` must be there to be read.
  (func (export "find") (param $p i32) (param $end i32)
      (param $pattern i32) (param $length i32) (param $at1 i32) (param $at2 i32) (result i32)
    (local $value1 v128) (local $mask1 v128) (local $value2 v128) (local $mask2 v128)
    (local $stop i32) (local $bits i32) (local $at i32) (local $index i32) (local $next i32)
    (local $p1 i32) (local $p2 i32)
    (local.set $value1 (v128.load8_splat (i32.add (local.get $pattern) (local.get $at1))))
    (local.set $value2 (v128.load8_splat (i32.add (local.get $pattern) (local.get $at2))))
    (local.set $index (i32.add (local.get $pattern) (local.get $length)))
    (local.set $mask1 (v128.load8_splat (i32.add (local.get $index) (local.get $at1))))
    (local.set $mask2 (v128.load8_splat (i32.add (local.get $index) (local.get $at2))))
    ;; Behind the last place where the whole pattern has room.
    (local.set $stop (i32.add (i32.sub (local.get $end) (local.get $length)) (i32.const 1)))
    (loop $block
      (if (i32.ge_s (local.get $p) (local.get $stop)) (then (return (i32.const -1))))
      (local.set $p1 (i32.add (local.get $p) (local.get $at1)))
      (local.set $p2 (i32.add (local.get $p) (local.get $at2)))
      (local.set $next (i32.add (local.get $p) (i32.const 64)))
      (if (v128.any_true (v128.or
          (v128.or
            (v128.and
              (i8x16.eq (v128.or (v128.load (local.get $p1)) (local.get $mask1)) (local.get $value1))
              (i8x16.eq (v128.or (v128.load (local.get $p2)) (local.get $mask2)) (local.get $value2)))
            (v128.and
              (i8x16.eq (v128.or (v128.load offset=16 (local.get $p1)) (local.get $mask1)) (local.get $value1))
              (i8x16.eq (v128.or (v128.load offset=16 (local.get $p2)) (local.get $mask2)) (local.get $value2))))
          (v128.or
            (v128.and
              (i8x16.eq (v128.or (v128.load offset=32 (local.get $p1)) (local.get $mask1)) (local.get $value1))
              (i8x16.eq (v128.or (v128.load offset=32 (local.get $p2)) (local.get $mask2)) (local.get $value2)))
            (v128.and
              (i8x16.eq (v128.or (v128.load offset=48 (local.get $p1)) (local.get $mask1)) (local.get $value1))
              (i8x16.eq (v128.or (v128.load offset=48 (local.get $p2)) (local.get $mask2)) (local.get $value2))))))
        (then
          (loop $lane
            (local.set $bits (i8x16.bitmask (v128.and
              (i8x16.eq (v128.or (v128.load (local.get $p1)) (local.get $mask1)) (local.get $value1))
              (i8x16.eq (v128.or (v128.load (local.get $p2)) (local.get $mask2)) (local.get $value2)))))
            (block $none
              (loop $candidate
                (br_if $none (i32.eqz (local.get $bits)))
                (local.set $at (i32.add (local.get $p) (i32.ctz (local.get $bits))))
                (if (i32.ge_s (local.get $at) (local.get $stop)) (then (return (i32.const -1))))
                (local.set $index (i32.const 0))
                (block $differs
                  (loop $byte
                    (if (i32.eq (local.get $index) (local.get $length))
                      (then (return (local.get $at))))
                    (br_if $differs (i32.ne
                      (i32.or
                        (i32.load8_u (i32.add (local.get $at) (local.get $index)))
                        (i32.load8_u (i32.add (i32.add (local.get $pattern) (local.get $length)) (local.get $index))))
                      (i32.load8_u (i32.add (local.get $pattern) (local.get $index)))))
                    (local.set $index (i32.add (local.get $index) (i32.const 1)))
                    (br $byte)))
                (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                (br $candidate)))
            (local.set $p (i32.add (local.get $p) (i32.const 16)))
            (local.set $p1 (i32.add (local.get $p1) (i32.const 16)))
            (local.set $p2 (i32.add (local.get $p2) (i32.const 16)))
            (br_if $lane (i32.lt_u (local.get $p) (local.get $next))))))
      (local.set $p (local.get $next))
      (br $block))
    (unreachable))

  ;; Writes the places of a byte in [p, end) to `out`, four bytes each; gives how many there are.
  ;; 64 bytes behind `end` must be there to be read.
  (func (export "places") (param $p i32) (param $end i32) (param $byte i32) (param $out i32)
      (result i32)
    (local $value v128) (local $least v128) (local $bits i64) (local $to i32) (local $at i32)
    (local.set $value (i8x16.splat (local.get $byte)))
    (local.set $least (v128.const i64x2 -1 -1))
    (local.set $to (local.get $out))
    (block $done
      (loop $block
        (br_if $done (i32.ge_s (local.get $p) (local.get $end)))
        (local.set $least (i8x16.min_u (local.get $least) (i8x16.min_u
          (i8x16.min_u (v128.load (local.get $p)) (v128.load offset=16 (local.get $p)))
          (i8x16.min_u (v128.load offset=32 (local.get $p)) (v128.load offset=48 (local.get $p))))))
        (local.set $bits (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load (local.get $p)) (local.get $value))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $p)) (local.get $value)))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $p)) (local.get $value)))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $p)) (local.get $value)))) (i64.const 48)))))
        (block $none
          (loop $each
            (br_if $none (i64.eqz (local.get $bits)))
            (local.set $at (i32.add (local.get $p) (i32.wrap_i64 (i64.ctz (local.get $bits)))))
            (br_if $done (i32.ge_s (local.get $at) (local.get $end)))
            (i32.store (local.get $to) (local.get $at))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
            (br $each)))
        (local.set $p (i32.add (local.get $p) (i32.const 64)))
        (br $block)))
    (global.set $full (i8x16.all_true (local.get $least)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 2))))
