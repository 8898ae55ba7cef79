# Where images may be kept, pin the digest of the base: node:24-slim@sha256:…
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install script runs: nothing that is built here or is in the image needs one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY migrations ./migrations
COPY src ./src
COPY clients/typescript ./clients/typescript
COPY web ./web
RUN npx nest build && npx vite build web --outDir ../build/app

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY deploy ./deploy
RUN node deploy/sbom.mjs > sbom.cdx.json

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SHUTDOWN_DELAY_MS=5000 DATA_DIR=/data
# Two halves of 8 MB for what is young, where V8 by itself takes 128 MB if a container may have all memory, and 2 if 512 MB; and
# one thread beside the main one rather than four, which hold 10 MB more.
ENV NODE_OPTIONS="--max-semi-space-size=8 --v8-pool-size=1"
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY --from=dependencies /app/sbom.cdx.json ./
COPY package.json ./
# For photos and papers; a volume that is mounted here is the user's, too.
RUN install -d -o node -g node -m 700 /data
# Served at /docs/guide.
COPY docs/apps.md ./docs/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Exec form: node itself is PID 1 and takes SIGTERM. DATABASE_URL must be set: no PostgreSQL is in the image.
CMD ["node", "build/src/main.js"]
