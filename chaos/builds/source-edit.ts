/** A single replacement in the sources, for a build that is meant to misbehave. */
export interface SourceEdit {
  /** Relative to the repository root. */
  readonly path: string;
  /** The replaced text, which must occur in the file exactly once. */
  readonly anchor: string;
  readonly replacement: string;
}

/** @throws Error if the sources have changed so that the anchor is missing or ambiguous */
export function applyEdit(text: string, { path, anchor, replacement }: SourceEdit): string {
  const parts = text.split(anchor);
  if (parts.length !== 2) {
    throw new Error(`${path} holds ${parts.length - 1} times what must be there once:\n${anchor}`);
  }
  return parts.join(replacement);
}
