#!/bin/sh
# claims.sh - every claim of every shipped scenario comes out as it says.
exec "$LIMITLAB" check scenarios
