import { Injectable, type PipeTransform } from '@nestjs/common';

/** Normalises text to one Unicode form, so that what looks equal is equal. Runs after field validation. */
@Injectable()
export class NormalForm implements PipeTransform {
  transform(value: unknown): unknown {
    if (typeof value === 'string') return value.normalize('NFC');
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    const record = value as Record<string, unknown>;
    for (const [name, text] of Object.entries(record))
      if (typeof text === 'string') record[name] = text.normalize('NFC');
    return value;
  }
}
