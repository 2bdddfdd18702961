import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const SCREENSHOTS = resolve(import.meta.dirname, '../../.cache/screenshots');

export interface Executed<T> {
  status: number;
  /** Parsed; undefined when there was none. */
  body: T;
}

/** Form input: path and query parameters by name, and the body. */
export interface Form {
  parameters?: Record<string, string>;
  body?: object;
}

/** The API explorer of `/docs`, used as a person would. */
export class Explorer {
  private shots = 0;

  constructor(
    readonly page: Page,
    private readonly walk: string,
  ) {
    mkdirSync(SCREENSHOTS, { recursive: true });
  }

  /** Waits until operations are shown, with the credentials filled in by the page. */
  ready(): Promise<void> {
    return this.page.locator('#explorer[data-ready]').waitFor();
  }

  /** Signs in on the page itself, with a code that `read` finds. */
  async signIn(email: string, read: () => Promise<string>): Promise<void> {
    const form = this.page.locator('#code-form');
    // If the documents are for members only, the form is shown from the beginning.
    if (!(await form.isVisible())) {
      await this.page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    }
    await form.getByLabel('Email').fill(email);
    await form.getByRole('button', { name: 'Send a code' }).click();
    await form.getByText('A code was sent to').waitFor();
    await form.getByLabel('Code', { exact: true }).fill(await read());
    await this.screenshot('sign-in');
    await form.getByRole('button', { name: 'Sign in' }).click();
    await this.says(`Signed in as ${email}`);
    await this.ready();
    await this.screenshot('signed-in');
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Waits until the page shows the caller. */
  says(text: string): Promise<void> {
    return this.page.locator('#who').getByText(text).waitFor();
  }

  /** Replaces a credential in the explorer's dialog. */
  async authorize(credential: string, scheme: 'member' | 'apiToken' | 'endUser'): Promise<void> {
    await this.page.locator('.auth-wrapper button.authorize').click();
    const dialog = this.page.locator('.modal-ux');
    const field = dialog.locator('.auth-container').filter({ hasText: `${scheme} ` });
    const logout = field.getByRole('button', { name: 'Remove authorization' });
    if (await logout.count()) await logout.click();
    await field.locator('input').fill(credential);
    await field.getByRole('button', { name: 'Apply credentials' }).click();
    await this.screenshot('authorize');
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Opens a group, until its first operation is there. @returns how long it took, in milliseconds */
  async openGroup(tag: string): Promise<number> {
    const from = performance.now();
    await this.page.locator(`#operations-tag-${tag}`).click();
    await this.page.locator(`[id^="operations-${tag}-"]`).first().waitFor();
    return performance.now() - from;
  }

  /** Opens an operation, until it can be executed. @returns how long it took, in milliseconds */
  async openOperation(tag: string, id: string): Promise<number> {
    const operation = this.page.locator(`#operations-${tag}-${id}`);
    const from = performance.now();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').waitFor();
    return performance.now() - from;
  }

  /** Ids of the operations seen while scrolling: of a long list, only the visible ones are rendered. */
  async passBy(tag: string): Promise<string[]> {
    return this.page.evaluate<string[]>(`(async () => {
      const seen = new Set();
      const prefix = 'operations-${tag}-';
      const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)));
      scrollTo(0, 0);
      for (let left = 200; left > 0; left -= 1) {
        await painted();
        for (const { id } of document.querySelectorAll('[id^="' + prefix + '"]')) seen.add(id.slice(prefix.length));
        if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) break;
        scrollBy(0, innerHeight / 2);
      }
      return [...seen];
    })()`);
  }

  /** Opens an operation, fills it in, executes it and reads the response. */
  async execute<T = undefined>(tag: string, id: string, { parameters = {}, body }: Form = {}): Promise<Executed<T>> {
    const operation = this.page.locator(`#operations-${tag}-${id}`);
    if (!(await operation.isVisible())) await this.page.locator(`#operations-tag-${tag}`).click();
    await operation.locator('.opblock-summary-control').click();
    for (const [name, value] of Object.entries(parameters)) await this.fill(operation, name, value);
    if (body) await operation.locator('.body-param textarea').fill(JSON.stringify(body, null, 2));
    await operation.locator('button.execute').click();
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor();
    const status = Number.parseInt(await answer.locator('.response-col_status').innerText(), 10);
    const shown = answer.locator('.response-col_description .highlight-code pre').first();
    const text = (await shown.count()) ? await shown.innerText() : '';
    await operation.evaluate((panel) => panel.scrollIntoView());
    await this.screenshot(id);
    await operation.locator('.opblock-summary-control').click();
    return { status, body: (text ? JSON.parse(text) : undefined) as T };
  }

  /** A screenshot of the window. */
  async screenshot(name: string, page = this.page): Promise<void> {
    const number = String(++this.shots).padStart(2, '0');
    await page.screenshot({ path: `${SCREENSHOTS}/${this.walk}-${number}-${name}.png` });
  }

  private async fill(operation: Locator, name: string, value: string): Promise<void> {
    const row = operation.locator(`tr[data-param-name="${name}"]`);
    const choice = row.locator('select');
    if (await choice.count()) await choice.selectOption(value);
    else await row.locator('input').fill(value);
  }
}
