export const LONGER_THAN_THEY_LOOK: readonly RegExp[];
