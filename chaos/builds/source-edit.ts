/** A change of one place of the sources, for a build that is meant to misbehave. */
export interface SourceEdit {
  /** From the root of the repository. */
  readonly path: string;
  /** The text that is replaced; must stand in the file exactly once. */
  readonly anchor: string;
  readonly replacement: string;
}

/** @throws Error when the sources have changed so that the edit would miss its place, or hit two */
export function applyEdit(text: string, { path, anchor, replacement }: SourceEdit): string {
  const parts = text.split(anchor);
  if (parts.length !== 2) {
    throw new Error(`${path} holds ${parts.length - 1} times what must be there once:\n${anchor}`);
  }
  return parts.join(replacement);
}
