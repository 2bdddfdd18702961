/**
 * Splits a name of the form `{resourceType}.{action}`; the resource type of `user.session.created` is `user.session`. A
 * name without a dot is a resource type without an action.
 */
export function splitEventName(name: string): { resourceType: string; eventAction?: string } {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? { resourceType: name } : { resourceType: name.slice(0, dot), eventAction: name.slice(dot + 1) };
}

/** Whether an event is about `type` or one of its parts: `user` covers `user.session`, but not `username`. */
export function isAbout(name: string, type: string): boolean {
  const { resourceType } = splitEventName(name);
  return resourceType === type || resourceType.startsWith(`${type}.`);
}
