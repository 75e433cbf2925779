# One image for web, worker, custody, the dev chain and the set-up; docker-compose.yml names the command of each.
# Debian, because the dev chain's program is built for glibc.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:22-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY --from=build /app/.build .build
COPY --from=build /app/.next .next
COPY public public
# The one setting of next.config.ts that is read when pages are served; reading that file would need a compiler here.
RUN echo 'export default { poweredByHeader: false };' > next.config.mjs
COPY prisma prisma
COPY mock-custody/contracts mock-custody/contracts
COPY stack/set-up.mjs stack/set-up.mjs
# The chain's state is the one thing written here.
RUN mkdir /chain && chown node:node /chain
USER node
