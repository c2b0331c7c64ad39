class MyTokenizer: pass
