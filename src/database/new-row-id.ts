/**
 * A UUIDv7 (RFC 9562 section 5.7) generated in SQL: the time, then the random part of a version 4 UUID, variant bits
 * included.
 */
export const NEW_ROW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
