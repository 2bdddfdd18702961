/** UTC with six decimals, the full precision of `timestamptz`: the text that hash chains cover. */
export const instantText = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * The same for a stored value that may have been altered. The format has no era, so the same moment before Christ would
 * have the same text, and an infinite or missing value would have none.
 */
export const storedInstantText = (column: string): string =>
  `CASE WHEN ${column} >= '0001-01-01 00:00:00+00' AND ${column} < 'infinity' THEN ${instantText(column)}
     ELSE coalesce(${column}::text, 'none') END`;
