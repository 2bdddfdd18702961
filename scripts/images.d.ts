export const FILES: readonly string[];
export function imagesOf(text: string): string[];
export function unversioned(text: string): string[];
export function unpinned(text: string): string[];
export function pinned(text: string, digestOf: (name: string) => string): string;
