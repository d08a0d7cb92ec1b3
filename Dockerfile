# Spillway in a container: `docker build -t spillway .`, then
#   docker run --rm -v "$PWD:/models" spillway check ring.pml
#   docker run --rm -e SPILLWAY_QUEUE=redis://queue:6379 -e SPILLWAY_QUEUE_KEY=… spillway worker
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild esbuild
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp

FROM node:22-bookworm-slim
# The solver starts faster as a program of its own; C models need a compiler's headers.
RUN apt-get update && apt-get install -y --no-install-recommends z3 gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/spillway-*.tgz /tmp/
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/spillway-*.tgz && rm /tmp/spillway-*.tgz
# What Node compiles of it is kept beside the program, which nobody can write to later.
RUN cd "$(npm root --global)/spillway" && for model in corpus/quickstart/*.pml; do spillway check --no-cache "$model" >/dev/null || [ $? -le 2 ]; done
RUN mkdir -p /models /answers && chown node:node /models /answers
USER node
ENV SPILLWAY_CACHE=/answers
VOLUME /answers
WORKDIR /models
ENTRYPOINT ["spillway"]
CMD ["--help"]
