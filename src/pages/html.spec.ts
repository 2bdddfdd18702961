import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('markup with values in it', () => {
  it('escapes text in elements and attributes', () => {
    const hostile = `<img src=x onerror="alert('1')">&`;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">' +
        '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</p>',
    );
  });

  it('keeps markup made by itself, joins lists and leaves out what is absent', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`${items}${null}${undefined}${false}${0}`.text).toBe('<li>a</li><li>&lt;b&gt;</li>0');
  });
});
