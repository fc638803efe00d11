# Scriptorium without its embedded database: API, website and worker on an external PostgreSQL.
# Not run where it was written, as no container engine is there: checked by hand against hadolint's rules.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY tools/openapi-types/package.json tools/openapi-types/
RUN npm ci
COPY src src
COPY web web
WORKDIR /app/web
RUN node ../node_modules/vite/bin/vite.js build

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY tools/openapi-types/package.json tools/openapi-types/
# Optional are only the embedded PostgreSQL and the Node that this image has already.
RUN npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MAIL_DIR=/tmp/mail
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/web/dist web/dist
COPY package.json LICENSE ./
COPY emulator emulator
COPY src src
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts", "serve"]
