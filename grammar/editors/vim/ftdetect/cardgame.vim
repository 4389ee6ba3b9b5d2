autocmd BufRead,BufNewFile *.cardgame setfiletype cardgame
autocmd BufRead,BufNewFile *.scenarios setfiletype scenarios
