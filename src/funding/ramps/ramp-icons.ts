/** A letter on a plain background, so that applications need no third-party image. */
const icon = (letter: string, ground: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${ground}"/><text x="16" y="22" font-family="sans-serif" font-size="18" text-anchor="middle" fill="#fff">${letter}</text></svg>`,
  )}`;

export const RAMP_ICONS = { coinbaseOnramp: icon('C', '#1f4fd8'), banxa: icon('B', '#0a7a5a') } as const;
