/** spec §9: nicknames in the session are obfuscated base64. This is not encryption. */
const swapCase = (s: string) => s.replace(/[A-Za-z]/g, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
const reverse = (s: string) => [...s].reverse().join('');

export const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
export const fromBase64 = (encoded: string) => new TextDecoder().decode(Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0)));

export const obfuscate = (text: string) => reverse(swapCase(toBase64(text)));
export const deobfuscate = (code: string) => fromBase64(swapCase(reverse(code)));
