#!/usr/bin/env bash
# Installs whatever the tests need, then runs every check. As root on Debian it also installs SPIN and the other
# peers that the comparison tests use; elsewhere those tests say that they were skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

peers=(spin lp-solve z3 lbt gcc tcc libc6-dev libstb-dev libxml2-utils chromium chromium-headless-shell redis-server neovim)
# gcc for i386, which only Debian for x86-64 has.
if command -v dpkg >/dev/null 2>&1 && [ "$(dpkg --print-architecture)" = amd64 ]; then peers+=(gcc-multilib); fi
missing=()
if command -v dpkg-query >/dev/null 2>&1; then
  for package in "${peers[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
fi
if [ "${#missing[@]}" -gt 0 ] && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
elif [ "${#missing[@]}" -gt 0 ]; then
  echo "not installed (the comparison tests that need them will be skipped): ${missing[*]}"
fi

npm ci --no-audit --no-fund
npm run --silent typecheck
npm run --silent lint
npm test
