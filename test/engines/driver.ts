/**
 * Firefox and WebKit as Debian installs them, driven by WebDriver: Firefox through its own port for it (Marionette),
 * WebKit through its driver, on a hidden display. No kept client drives both of these: Selenium's needs geckodriver for
 * Firefox, which Debian does not have; Playwright needs a WebKit of its own, and commands that Firefox ESR does not know
 * yet (`channel: 'moz-firefox'` ends at emulation.setMediaFeaturesOverride; try it again with the next ESR).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { whenDone } from '../closing';
import { freePort } from '../openPort';

export interface Driver {
  /** Which browser, and which version of it. */
  name: string;
  /** A command of WebDriver, by the names that Firefox has for them: https://www.w3.org/TR/webdriver2/ */
  send(command: Command, parameters?: Record<string, unknown>): Promise<unknown>;
  end(): Promise<void>;
}
export type Command = keyof typeof paths;
/** What a command was refused with, such as 'stale element reference'. */
export class Refused extends Error {
  readonly why: string;
  constructor(why: string, message: string) {
    super(`${why}: ${message}`);
    this.why = why;
  }
}

/** The same commands over HTTP. */
const paths = {
  'WebDriver:Navigate': 'POST url',
  'WebDriver:Back': 'POST back',
  'WebDriver:ExecuteScript': 'POST execute/sync',
  'WebDriver:ElementClick': 'POST element/{id}/click',
  'WebDriver:ElementSendKeys': 'POST element/{id}/value',
} as const;

const pathOf = (...names: string[]) =>
  names
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(existsSync);
/** GTK's small browser lies beside its library, in a folder by the name of the processor. */
const miniBrowser = () =>
  readdirSync('/usr/lib')
    .map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`)
    .find(existsSync);
/** What is not installed of what the tests need, by the names of Debian's packages. */
export const missing = (): string[] => [
  ...(pathOf('firefox-esr', 'firefox') ? [] : ['firefox-esr']),
  ...(pathOf('WebKitWebDriver') && miniBrowser() ? [] : ['webkit2gtk-driver']),
  ...(pathOf('Xvfb') ? [] : ['xvfb']),
];

/** Waits for what is there sooner or later, unless the process has ended before. */
async function until<T>(
  child: ChildProcess,
  name: string,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  for (const latest = Date.now() + 120_000; ; ) {
    const found = await look();
    if (found !== undefined) return found;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
    if (Date.now() > latest) throw new Error(`${name} did not start in two minutes`);
    await setTimeout(20);
  }
}
const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
const stop = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await ended(child);
};

/** Firefox without a window, in a profile of its own. */
export async function startFirefox(): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'));
  const settings = {
    'marionette.port': 0,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.disabledForTesting': true,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'browser.aboutwelcome.enabled': false,
    'extensions.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
  };
  writeFileSync(
    join(folder, 'user.js'),
    Object.entries(settings)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const child = spawn(
    pathOf('firefox-esr', 'firefox') ?? 'firefox-esr',
    ['--headless', '--no-remote', '--marionette', '--profile', folder],
    { stdio: 'ignore', env: { ...process.env, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' } },
  );
  const clear = async () => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  whenDone(clear);
  const portFile = join(folder, 'MarionetteActivePort');
  const port = await until(child, 'Firefox', () =>
    existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) || undefined : undefined,
  );
  const send = marionette(connect(port, '127.0.0.1'));
  const { capabilities } = (await send('WebDriver:NewSession', { strictFileInteractability: false })) as {
    capabilities: { browserVersion: string };
  };
  return { name: `Firefox ${capabilities.browserVersion}`, send, end: clear };
}

/**
 * Firefox's own form of WebDriver: '<length>:<JSON>', each message [0, id, name, parameters], each answer
 * [1, id, error, result].
 */
function marionette(socket: Socket) {
  const waiting = new Map<
    number,
    (answer: [error: { error: string; message: string } | null, result: unknown]) => void
  >();
  let last = 0,
    received = Buffer.alloc(0),
    hasGreeted = false,
    greeted = () => {};
  const greeting = new Promise<void>((resolve) => {
    greeted = resolve;
  });
  const lost = () => {
    for (const answer of waiting.values()) answer([{ error: 'lost', message: 'Firefox has hung up' }, null]);
  };
  socket
    .on('error', lost)
    .on('close', lost)
    .on('data', (more: Buffer) => {
      received = Buffer.concat([received, more]);
      for (;;) {
        const colon = received.indexOf(58),
          end = colon + 1 + Number(received.subarray(0, colon).toString());
        if (colon < 0 || received.length < end) return;
        const message = JSON.parse(received.subarray(colon + 1, end).toString());
        received = received.subarray(end);
        if (hasGreeted) waiting.get(message[1])?.([message[2], message[3]]);
        else greeted();
        hasGreeted = true;
      }
    });
  return async (command: string, parameters: Record<string, unknown> = {}): Promise<unknown> => {
    await greeting;
    const id = ++last,
      text = JSON.stringify([0, id, command, parameters]);
    const [error, result] = await new Promise<[{ error: string; message: string } | null, unknown]>((resolve) => {
      waiting.set(id, resolve);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
    waiting.delete(id);
    if (error) throw new Refused(error.error, error.message);
    return result !== null && typeof result === 'object' && Object.keys(result).join() === 'value'
      ? Object.values(result)[0]
      : result;
  };
}

/** WebKit in GTK's small browser, before a display of its own. */
export async function startWebKit(): Promise<Driver> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  whenDone(() => stop(display));
  let shown = '';
  display.stdout.on('data', (text: Buffer) => {
    shown += String(text);
  });
  const number = await until(display, 'Xvfb', () => /^\d+\n/.exec(shown)?.[0].trim());
  const folder = mkdtempSync(join(tmpdir(), 'webkit-')),
    port = await freePort();
  const child = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${number}`,
      HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) {
      const { error, message } = value as { error: string; message: string };
      throw new Refused(error, message);
    }
    return value;
  };
  await until(child, 'WebKitWebDriver', () =>
    call('GET', 'status').then(
      () => true,
      () => undefined,
    ),
  );
  const options = { binary: miniBrowser(), args: ['--automation'] };
  const { sessionId, capabilities } = (await call('POST', 'session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string; capabilities: { browserVersion: string } };
  // As wide as the other browsers' windows: a narrower one folds the filters.
  await call('POST', `session/${sessionId}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 });
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    await call('DELETE', `session/${sessionId}`).catch(() => undefined); // it closes the browser
    await stop(child);
    await stop(display);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  whenDone(end);
  return {
    name: `WebKit ${capabilities.browserVersion}`,
    end,
    send(command, { id, ...parameters } = {}) {
      const [method = '', path = ''] = paths[command].split(' ');
      return call(
        method,
        `session/${sessionId}/${path.replace('{id}', String(id))}`,
        method === 'POST' ? parameters : undefined,
      );
    },
  };
}
