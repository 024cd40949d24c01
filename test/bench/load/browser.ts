import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const quietly = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The Chromium of CHROMIUM_PATH or of this machine, without a window and without talk of its own on the line. */
export function launchBrowser(): Promise<Browser> {
  const path = process.env['CHROMIUM_PATH'] ?? ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`).find(existsSync);
  if (!path) throw new Error('No Chromium found: install it, or set CHROMIUM_PATH');
  return chromium.launch({ executablePath: path, args: quietly });
}
