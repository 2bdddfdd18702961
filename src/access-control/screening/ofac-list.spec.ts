import { describe, expect, it } from '@jest/globals';
import { readOfacList, SanctionsFileError } from './ofac-list.js';

const id = (type: string, number: string): string =>
  `<id><uid>1</uid><idType>${type}</idType><idNumber>${number}</idNumber></id>`;
const PLAIN = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/20/2026</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  <sdnEntry><uid>36</uid><lastName>AEROCARIBBEAN AIRLINES</lastName><sdnType>Entity</sdnType></sdnEntry>
  <sdnEntry><uid>25308</uid><firstName>Ali</firstName><lastName>KHORASHADIZADEH &amp; SONS</lastName>
    <idList>${id('Passport', 'A1')}${id('Digital Currency Address - XBT', '149w62rY42aZBox8fGcmqNsXUzSStKeq8C')}
    ${id('Digital Currency Address - ETH', '0x7F367cC41522cE07553e823bf3be79A889DEbe1B')}</idList></sdnEntry>
  <sdnEntry><uid>9</uid><lastName>X</lastName><idList>${id('Digital Currency Address - NEWCOIN', ' addr1 ')}</idList></sdnEntry>
</sdnList>`;
const feature = (kind: number, address: string): string =>
  `<Feature ID="7" FeatureTypeID="${kind}"><FeatureVersion ID="1"><VersionDetail DetailTypeID="1432">${address}</VersionDetail></FeatureVersion></Feature>`;
const ADVANCED = `<Sanctions Version="1"><DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>11</Month><Day>2</Day></DateOfIssue>
  <ReferenceValueSets><FeatureTypeValues><FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
  <FeatureType ID="344" FeatureTypeGroupID="1">Digital Currency Address - XBT</FeatureType>
  <FeatureType ID="998" FeatureTypeGroupID="1">Digital Currency Address - TRX</FeatureType></FeatureTypeValues></ReferenceValueSets>
  <DistinctParties><DistinctParty FixedRef="36"><Profile ID="36">${feature(8, '1970')}</Profile></DistinctParty>
  <DistinctParty FixedRef="25308"><Profile ID="25308"><NamePartValue ScriptID="215">LAZARUS</NamePartValue>${feature(344, '149w62rY42aZBox8fGcmqNsXUzSStKeq8C')}
  ${feature(998, 'TXYZ')}</Profile></DistinctParty></DistinctParties></Sanctions>`;

async function* pieces(text: string, size = 17): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe('a published sanctions list', () => {
  it('is read with the addresses of every currency, whatever pieces it comes in', async () => {
    const expected = {
      publishedOn: '11/20/2026',
      addresses: [
        ['XBT', '149w62rY42aZBox8fGcmqNsXUzSStKeq8C', '25308', 'Ali KHORASHADIZADEH & SONS'],
        ['ETH', '0x7F367cC41522cE07553e823bf3be79A889DEbe1B', '25308', 'Ali KHORASHADIZADEH & SONS'],
        ['NEWCOIN', 'addr1', '9', 'X'],
      ],
    };
    for (const size of [1, 17, 10_000]) {
      const { publishedOn, addresses } = await readOfacList(pieces(PLAIN, size));
      const shown = addresses.map(({ currency, address, entry, name }) => [currency, address, entry, name]);
      expect({ publishedOn, addresses: shown }).toEqual(expected);
    }
  });

  it('is read in its advanced form too', async () => {
    const { publishedOn, addresses } = await readOfacList(pieces(ADVANCED));
    expect(publishedOn).toBe('2026-11-02');
    expect(addresses).toEqual([
      { currency: 'XBT', address: '149w62rY42aZBox8fGcmqNsXUzSStKeq8C', entry: '25308', name: 'LAZARUS' },
      { currency: 'TRX', address: 'TXYZ', entry: '25308', name: 'LAZARUS' },
    ]);
  });

  it.each([
    ['was cut off', PLAIN.slice(0, -20)],
    ['was cut off between two entries', PLAIN.slice(0, PLAIN.indexOf('<sdnEntry><uid>9'))],
    ['is a page that says that there is none', '<html>Not found</html>'],
    ['is empty', ''],
  ])('that %s is refused', async (_, text) => {
    await expect(readOfacList(pieces(text))).rejects.toThrow(SanctionsFileError);
  });
});
