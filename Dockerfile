# Scriptorium without its embedded database: API, website, worker and the operator's commands, on an external
# PostgreSQL (DATABASE_URL). docs/operating/containers.md says how to run it, and what of it is tested where.
#
# What is built runs on any processor, so both stages before the last run on the builder's own; the last one
# only copies. A build for another platform needs no emulation.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY tools/development/package.json tools/development/
COPY tools/node/package.json tools/node/
COPY tools/openapi-types/package.json tools/openapi-types/
RUN npm ci --workspace=web --include-workspace-root
COPY LICENSE ./
COPY tools/scripts tools/scripts
COPY clients clients
COPY src src
COPY web web
RUN node tools/scripts/pack-clients.ts
WORKDIR /app/web
RUN node ../node_modules/vite/bin/vite.js build

FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional are only the embedded PostgreSQL and the Node that this image has already; the workspaces are the website's.
RUN npm ci --omit=dev --omit=optional --workspaces=false
COPY tools/scripts/production-modules.ts tools/scripts/prune-modules.ts tools/scripts/
RUN node tools/scripts/prune-modules.ts && mkdir /data

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
LABEL org.opencontainers.image.title="Scriptorium" org.opencontainers.image.licenses="Apache-2.0"
# HEALTH_PORT lets a process without the role api answer health checks, too. What may be lost is written to /data
# (search indexes) and /tmp alone: the rest of the file system may be read-only.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 HEALTH_PORT=8080 DATA_DIR=/data MAIL_DIR=/tmp/mail \
    NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/clients/dist clients/dist
COPY package.json LICENSE CHANGELOG.md ./
COPY docs docs
COPY emulator emulator
COPY src src
COPY --from=modules --chown=1000:1000 /data /data
# The image's user `node`, by its number: Kubernetes can tell of no name that it is not root.
USER 1000:1000
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "src/main.ts", "health"]
CMD ["node", "src/main.ts", "serve"]
