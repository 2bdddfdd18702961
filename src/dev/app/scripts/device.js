/* global crypto, indexedDB, TextDecoder, TextEncoder */

// This browser's shares of shared keys, encrypted under a non-extractable key.
const STORE = 'shares';
const SEALING_KEY = 'sealing-key';

const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function inStore(mode, work) {
  const opening = indexedDB.open('gatehouse-dev-app', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await result(opening);
  try {
    return await result(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

async function sealingKey() {
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // If two tabs generate a key at the same time, the second one fails and uses the first one's.
  await inStore('readwrite', (store) => store.add(made, SEALING_KEY)).catch(() => {});
  return inStore('readonly', (store) => store.get(SEALING_KEY));
}

const parameters = (walletId, iv) => ({ name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(walletId) });

/** Stores the share sets of a wallet, replacing previous ones. */
export async function keep(walletId, sets) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plaintext = new TextEncoder().encode(JSON.stringify(sets));
  const ciphertext = await crypto.subtle.encrypt(parameters(walletId, iv), await sealingKey(), plaintext);
  await inStore('readwrite', (store) => store.put({ iv, ciphertext }, walletId));
}

/** The stored share sets of a wallet, possibly none. */
export async function held(walletId) {
  const kept = await inStore('readonly', (store) => store.get(walletId));
  if (!kept) return [];
  const opened = await crypto.subtle.decrypt(parameters(walletId, kept.iv), await sealingKey(), kept.ciphertext);
  return JSON.parse(new TextDecoder().decode(opened));
}

export const forget = (walletId) => inStore('readwrite', (store) => store.delete(walletId));
