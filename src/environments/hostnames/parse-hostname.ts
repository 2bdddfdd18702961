import { isHostName, isInsideHost } from '../../outbound/index.js';
import { siteOwner } from '../origins/site-owner.js';

/** A host name in normal form, or the reason for its refusal. */
export type ParsedHostname = { hostname: string; refusal?: never } | { hostname?: never; refusal: string };

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const refused = (refusal: string): ParsedHostname => ({ refusal });

/** @param own names of this service; neither they nor their subdomains can be claimed */
export function parseHostname(text: string, own: readonly string[]): ParsedHostname {
  const hostname = text.toLowerCase();
  const isName = isHostName(hostname) && hostname.split('.').every((label) => LABEL.test(label));
  if (!isName)
    return refused('Labels have 1 to 63 letters, digits and inner hyphens, the whole at most 253 characters.');
  if (own.some((name) => hostname === name || hostname.endsWith(`.${name}`))) {
    return refused('This name belongs to the service itself.');
  }
  const owner = isInsideHost(hostname) ? null : siteOwner(hostname);
  if (owner === null) return refused('The name must be one of public DNS, below a domain that is yours alone.');
  if (owner === hostname)
    return refused(`A domain itself cannot be an alias: use a name below it, such as auth.${owner}.`);
  return { hostname };
}
