print("qring")
