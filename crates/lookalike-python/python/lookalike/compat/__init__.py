"""Modules that take the place of other packages in programs that were written for those: one import is changed."""
