# One image for every role: ROLE=api answers requests, ROLE=worker delivers webhooks, ROLE=all does both. A separate
# signer (ROLE=signer) has its own command: node dist/signer.js.

FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install script here, so none is run.
RUN npm ci --ignore-scripts
COPY .swcrc ./
COPY scripts ./scripts
COPY migrations ./migrations
COPY clients ./clients
COPY src ./src
COPY extensions ./extensions
RUN npm run build

FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS production-dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without the optional dependencies: the built-in PostgreSQL is for development, and the image brings its own Node.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7
ENV NODE_ENV=production NODE_OPTIONS="--max-semi-space-size=8"
WORKDIR /app
COPY --from=production-dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=8", "dist/service.js"]
