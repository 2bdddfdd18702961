import type { MigrationInterface, QueryRunner } from 'typeorm';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * The rule of `normalAddress` for statements that compare stored addresses with each other. The checksum of TON is
 * CRC-16 with the polynomial 0x1021 (4129), four bits at a time; that of TRON is the beginning of a double SHA-256.
 */
const NORMAL_ADDRESS = `
  CREATE FUNCTION normal_address(namespace text, address text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    width integer := CASE WHEN namespace IN ('aptos', 'starknet', 'sui') THEN 64 WHEN namespace = 'flow' THEN 16 END;
    bytes bytea;
    number numeric := 0;
    digits text := '';
    crc integer := 0;
    high integer;
  BEGIN
    IF namespace = 'eip155' THEN
      RETURN lower(address);
    ELSIF width IS NOT NULL AND address ~* '^0x[0-9a-f]{1,64}$' THEN
      digits := coalesce(nullif(ltrim(lower(substr(address, 3)), '0'), ''), '0');
      RETURN '0x' || lpad(digits, greatest(width, length(digits)), '0');
    ELSIF namespace IN ('bip122', 'cosmos', 'spark') AND address ~* '^[a-z]{1,20}1[02-9ac-hj-np-z]{11,90}$' THEN
      RETURN lower(address);
    ELSIF namespace = 'tron' AND address ~* '^41[0-9a-f]{40}$' THEN
      bytes := decode(address, 'hex');
      bytes := bytes || substr(sha256(sha256(bytes)), 1, 4);
      FOR i IN 0..24 LOOP
        number := number * 256 + get_byte(bytes, i);
      END LOOP;
      WHILE number > 0 LOOP
        digits := substr('${ALPHABET}', (number % 58)::integer + 1, 1) || digits;
        number := div(number, 58);
      END LOOP;
      RETURN digits;
    ELSIF namespace = 'ton' AND address ~ '^(0|-1):[0-9a-fA-F]{64}$' THEN
      bytes := decode(CASE WHEN address LIKE '0:%' THEN '5100' ELSE '51ff' END || split_part(address, ':', 2), 'hex');
    ELSIF namespace = 'ton' AND address ~ '^[A-Za-z0-9+/_-]{48}$' THEN
      bytes := decode(translate(address, '-_', '+/'), 'base64');
      IF get_byte(bytes, 0) NOT IN (17, 81) OR get_byte(bytes, 1) NOT IN (0, 255) THEN
        RETURN address;
      END IF;
    ELSE
      RETURN address;
    END IF;
    -- The whole of an address with its checksum leaves nothing.
    IF length(bytes) = 36 THEN
      FOR i IN 0..71 LOOP
        high := (crc >> 12) # ((get_byte(bytes, i / 2) >> (4 * (1 - i % 2))) & 15);
        crc := ((crc << 4) & 65535) # (high * 4129);
      END LOOP;
      IF crc <> 0 THEN
        RETURN address;
      END IF;
    END IF;
    bytes := set_byte(substr(bytes, 1, 34), 0, 81);
    crc := 0;
    FOR i IN 0..67 LOOP
      high := (crc >> 12) # ((get_byte(bytes, i / 2) >> (4 * (1 - i % 2))) & 15);
      crc := ((crc << 4) & 65535) # (high * 4129);
    END LOOP;
    bytes := bytes || decode(lpad(to_hex(crc), 4, '0'), 'hex');
    RETURN translate(encode(bytes, 'base64'), '+/', '-_');
  END $$`;

/** A claim of a wallet names its address in one form; the rows of wallets and credentials have it as it was given. */
export class CompareAddresses20261201060000 implements MigrationInterface {
  name = 'CompareAddresses20261201060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NORMAL_ADDRESS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION normal_address');
  }
}
