// Bytes in hex, as they are shown.

const pairs = (hex) => hex.match(/../g) ?? [];

/** With a space after each byte. */
export const spaced = (hex) => pairs(hex).join(' ');

/** In HBase's escaped form. */
export const escaped = (hex) => pairs(hex).map((pair) => {
  const byte = parseInt(pair, 16);
  return byte >= 0x20 && byte <= 0x7e && byte !== 0x5c ? String.fromCharCode(byte) : `\\x${pair.toUpperCase()}`;
}).join('');
