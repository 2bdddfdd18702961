import { describe, expect, it } from '@jest/globals';
import { StringField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';
import { EventsService } from './events.service.js';

class Lamp {
  @StringField()
  colour!: string;
}

defineEvent('lamp.lit', 'A lamp was lit.', { payload: Lamp });
defineEvent('lamp.lent', 'A lamp was lent.', { payload: Lamp, ofOrganization: true });
defineEvent('lamp.lost', 'A lamp was lost.', { payload: Lamp, selectable: false });

describe('the list of events', () => {
  it('tells of each that webhooks may name where it is sent, since most webhooks never get one of an organization', () => {
    const service = new EventsService({} as never, {} as never);
    const lamps = service.listTypes().filter(({ name }) => name.startsWith('lamp.'));
    expect(lamps.map(({ name, description }) => [name, description])).toEqual([
      ['lamp.lent', 'A lamp was lent. Sent to webhooks of the console environment, for every organization.'],
      ['lamp.lit', 'A lamp was lit.'],
    ]);
  });
});
