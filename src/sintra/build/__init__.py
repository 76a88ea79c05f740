"""Compiles the engine ahead of time: a shared library for this machine, and a WebAssembly module, from the same source.

What is made lies in one folder: the library, the module, a manifest and bindings for Python, for `rules/library.py`.
"""
