/** Field formats shared by ramps. */
export const AMOUNT = { pattern: /^(\d+(\.\d+)?|\.\d+)$/ } as const;
export const NAME = { min: 1, max: 50 } as const;
export const ADDRESS = { pattern: /^[A-Za-z0-9]+$/, max: 255 } as const;
