"""The rules of classic team belote, pure: no I/O, no clock, no randomness, standard library only.

Rule numbers (``R4.3``) refer to ``docs/rules.md``.
"""
