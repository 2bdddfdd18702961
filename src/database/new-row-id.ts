/**
 * An id as SQL makes it: UUIDv7 (RFC 9562 section 5.7), the time and then what is random of a version 4 UUID, variant bits
 * included.
 */
export const NEW_ROW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
