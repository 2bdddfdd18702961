/* global document, navigator */
/** Buttons with `data-copy` copy that text and confirm it. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.addEventListener('click', async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Press Ctrl+C';
      const source = button.parentElement?.querySelector('code');
      if (source) document.getSelection()?.selectAllChildren(source);
    }
    setTimeout(() => (button.textContent = label), 1500);
  });
}
