/** Makes a picture of a screen small enough for the repository: the same PNG with a palette of its colours. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;
/** Colours closer than this, such as the edges of letters, share a place of the palette. */
const NEAR = 100;

/** `rgb` has three bytes for each pixel. */
interface Pixels {
  width: number;
  height: number;
  rgb: Buffer;
}

/** Reads a PNG of 8 bits per channel, as browsers write screenshots; transparency is ignored. */
function decode(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let width = 0,
    height = 0,
    channels = 0;
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    }
    if (type === 'IDAT') data.push(body);
  }
  const bytes = inflateSync(Buffer.concat(data)),
    stride = width * channels;
  const rgb = Buffer.alloc(width * height * 3);
  let above: Buffer = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (stride + 1)],
      line = bytes.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let x = 0; x < stride; x++) {
      const [left, corner] = x < channels ? [0, 0] : [line[x - channels]!, above[x - channels]!],
        up = above[x]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!;
      line[x] = line[x]! + guess;
    }
    for (let x = 0; x < width; x++) line.copy(rgb, (y * width + x) * 3, x * channels, x * channels + 3);
    above = line;
  }
  return { width, height, rgb };
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner),
    toUp = Math.abs(left - corner),
    toCorner = Math.abs(left + up - 2 * corner);
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

const distance = (a: number, b: number) =>
  [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
/** The place of the colour in the palette that is nearest. */
function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

/** The same picture with at most 256 colours; each other colour becomes the nearest of them. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = rgb.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette: number[] = [];
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (palette.length < COLOURS && palette.every((other) => distance(other, colour) > NEAR)) palette.push(colour);
  }
  const index = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const lines = Buffer.alloc(height * (width + 1)); // each line begins with its filter, 0 for none
  for (let at = 0; at < width * height; at++) {
    lines[at + Math.floor(at / width) + 1] = index.get(rgb.readUIntBE(at * 3, 3))!;
  }

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits, with a palette
  const colours = Buffer.alloc(palette.length * 3);
  for (const [place, colour] of palette.entries()) colours.writeUIntBE(colour, place * 3, 3);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, 'latin1');
  body.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, body.length + 8)), body.length + 8);
  return whole;
}
