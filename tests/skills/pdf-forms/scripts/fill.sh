#!/bin/sh
exec python3 fill.py "$@"
