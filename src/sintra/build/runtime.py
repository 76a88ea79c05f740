"""What compiled code needs around it, in place of Numba's and of C's: square roots, which every processor has, and
memory for arrays, from `malloc`; in wasm it is kept in lists of free blocks, so that whoever loads the
module there only has to give memory and never to take it back.

An array's memory begins with what Numba keeps of it (`MEMORY_HEAD` bytes): how many references there are, two fields
for whoever frees it, where its data begins, and its size.
"""

from __future__ import annotations

from typing import Final

from sintra.build.targets import Target

MEMORY_HEAD: Final = 48

_HEAD: Final = """
target triple = "{triple}"
target datalayout = "{layout}"
declare void @llvm.trap()
declare double @llvm.sqrt.f64(double)

define double @sqrt(double %x) alwaysinline {{
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}}

; a new block for an array of so many bytes, with one reference
define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {{
  %align64 = zext i32 %align to i64
  %more = add i64 %align64, {head}
  %all = add i64 %size, %more
  %block = call ptr @new_block(i64 %all)
  store i64 1, ptr %block
  %dtor = getelementptr {{i64, ptr, ptr, ptr, i64}}, ptr %block, i32 0, i32 1
  store ptr null, ptr %dtor
  %start = ptrtoint ptr %block to i64
  %first = add i64 %start, {head}
  %less = sub i64 %align64, 1
  %last = add i64 %first, %less
  %mask = sub i64 0, %align64
  %aligned = and i64 %last, %mask
  %data = inttoptr i64 %aligned to ptr
  %where = getelementptr {{i64, ptr, ptr, ptr, i64}}, ptr %block, i32 0, i32 3
  store ptr %data, ptr %where
  %bytes = getelementptr {{i64, ptr, ptr, ptr, i64}}, ptr %block, i32 0, i32 4
  store i64 %size, ptr %bytes
  ret ptr %block
}}

; no reference is left
define void @NRT_MemInfo_call_dtor(ptr %block) noinline {{
  call void @free_block(ptr %block)
  ret void
}}
"""

_FROM_C: Final = """
declare noalias ptr @malloc(i64)
declare void @free(ptr)

define noalias ptr @new_block(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  %none = icmp eq ptr %block, null
  br i1 %none, label %out, label %done
out:
  call void @llvm.trap()
  unreachable
done:
  ret ptr %block
}

define void @free_block(ptr %block) {
  call void @free(ptr %block)
  ret void
}
"""

_IN_WASM: Final = """
@free_lists = internal global [40 x ptr] zeroinitializer
declare noalias ptr @malloc(i32)
declare i64 @llvm.ctlz.i64(i64, i1)

; blocks have powers of two as sizes, and are used again: the third field of one tells its list
define noalias ptr @new_block(i64 %size) {
  %less = sub i64 %size, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %less, i1 true)
  %class64 = sub i64 64, %zeros
  %class = trunc i64 %class64 to i32
  %list = getelementptr [40 x ptr], ptr @free_lists, i32 0, i32 %class
  %first = load ptr, ptr %list
  %none = icmp eq ptr %first, null
  br i1 %none, label %fresh, label %again
again:
  %after = load ptr, ptr %first
  store ptr %after, ptr %list
  br label %done
fresh:
  %bytes = shl i32 1, %class
  %made = call ptr @malloc(i32 %bytes)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %out, label %done
out:
  call void @llvm.trap()
  unreachable
done:
  %block = phi ptr [%first, %again], [%made, %fresh]
  %mine = getelementptr {i64, ptr, ptr, ptr, i64}, ptr %block, i32 0, i32 2
  store ptr %list, ptr %mine
  ret ptr %block
}

define void @free_block(ptr %block) {
  %mine = getelementptr {i64, ptr, ptr, ptr, i64}, ptr %block, i32 0, i32 2
  %list = load ptr, ptr %mine
  %first = load ptr, ptr %list
  store ptr %first, ptr %block
  store ptr %block, ptr %list
  ret void
}
"""


def runtime_module(target: Target, layout: str) -> str:
    """The text of a module with what a target needs."""
    head = _HEAD.format(triple=target.triple, layout=layout, head=MEMORY_HEAD)
    return head + (_IN_WASM if target.kind == "wasm" else _FROM_C)
